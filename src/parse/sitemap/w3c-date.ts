/** Dates of sitemaps and feeds. Pure: no locale, no clock, no time zone of this machine. */

const W3C_DATE =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[Tt ]\s*(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?\s*([Zz]|[+-]\d{2}:?\d{2})?)?)?)?$/;

const MAIL_DATE =
  /^(?:[a-z]{3,9}\.?(?:\s*,\s*|\s+))?(\d{1,2})[\s-]+([a-z]{3,9})\.?[\s-]+(\d{4}|\d{2})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([a-z]{1,5}|[+-]\d{2}:?\d{2})$/i;

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];

/** Zone names of RFC 5322 §4.3, in hours from UTC; military letters say nothing and count as UTC. */
const ZONE_HOURS: Readonly<Record<string, number>> = {
  ...{ ut: 0, utc: 0, gmt: 0, z: 0 },
  ...{ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
};

/**
 * A W3C date (a profile of ISO 8601: year, month, day, minute, second or fraction) as ISO 8601 in UTC;
 * null for what is no date that exists. Without a zone it counts as UTC.
 *
 * @see https://www.w3.org/TR/NOTE-datetime
 */
export function parseW3cDate(text: string): string | null {
  const match = W3C_DATE.exec(text.trim());
  if (!match) return null;
  const [, year = '', month = '01', day = '01', hour = '00', minute = '00', second = '00'] = match;
  const ms = `${match[7] ?? ''}000`.slice(0, 3);
  return instant([year, month, day, hour, minute, second, ms].map(Number), match[8] ?? 'Z');
}

/**
 * A date of RSS (RFC 822 and its successors, two-digit years and names of zones included) or, as some
 * feeds have, of W3C form. Without a zone a mail date is no instant, and no date.
 *
 * @see RFC 5322 §3.3, §4.3
 */
export function parseFeedDate(text: string): string | null {
  const w3c = parseW3cDate(text);
  if (w3c !== null) return w3c;
  const match = MAIL_DATE.exec(text.trim().replace(/\s*\([^()]*\)$/, ''));
  if (!match) return null;
  const [, day = '', name = '', year = '', hour = '', minute = '', second = '0', zone = ''] = match;
  const month = monthNumber(name);
  if (month === 0) return null;
  const fullYear = year.length === 2 ? Number(year) + (Number(year) < 50 ? 2000 : 1900) : +year;
  const time = [day, hour, minute, second].map(Number);
  return instant([fullYear, month, ...time, 0], zone);
}

/** 1 to 12 for a month's name or what it begins with, three letters at least; 0 for none. */
function monthNumber(name: string): number {
  return 1 + MONTHS.findIndex((month) => month.startsWith(name.toLowerCase()));
}

/** Year, month, day, hour, minute, second, millisecond and zone as an instant of the years 0 to 9999. */
function instant(fields: readonly number[], zone: string): string | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0] = fields;
  const offsetMs = zoneMs(zone);
  if (offsetMs === null || hour > 23 || minute > 59 || second > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, ms);
  // 31 February would be 3 March.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const utc = new Date(date.getTime() - offsetMs);
  const isFourDigits = utc.getUTCFullYear() >= 0 && utc.getUTCFullYear() <= 9999;
  return isFourDigits ? utc.toISOString() : null;
}

/** Null for what is no zone. */
function zoneMs(zone: string): number | null {
  if (/^[a-z]/i.test(zone)) {
    const hours = ZONE_HOURS[zone.toLowerCase()] ?? (zone.length === 1 ? 0 : null);
    return hours === null ? null : hours * 3_600_000;
  }
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
