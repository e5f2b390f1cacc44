/** Dates of sitemaps and feeds. Pure. */

const W3C_DATE =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}:?\d{2})?)?)?)?$/;

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
  const instant = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  if (Number.isNaN(instant)) return null;
  // Date.parse takes 31 February for 3 March.
  if (new Date(instant).getUTCDate() !== Number(day)) return null;
  return new Date(instant - zoneMs(match[8] ?? 'Z')).toISOString();
}

/** A date of RSS (RFC 822 style) or, as some feeds have, of W3C form. */
export function parseFeedDate(text: string): string | null {
  const w3c = parseW3cDate(text);
  if (w3c !== null) return w3c;
  if (!/^\s*(?:[a-z]{3,9},?\s+)?\d{1,2}\s+[a-z]{3,9}\s+\d{2,4}\s+\d/i.test(text)) return null;
  const instant = Date.parse(text.trim());
  return Number.isNaN(instant) ? null : new Date(instant).toISOString();
}

function zoneMs(zone: string): number {
  if (/^z$/i.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
