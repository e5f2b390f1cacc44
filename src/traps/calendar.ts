/** Dates in addresses that nothing happens on: calendars have a next page for ever. Pure, linear. */
import type { Parameter, UrlParts, Verdict } from './url-parts.js';

/** Dates further ahead are a calendar's, not a page's. */
const YEARS_AHEAD = 2;
/** The web has archives of older things, but no page for each of their days. */
const FIRST_YEAR = 1800;
/** Numbers further off are no years; a calendar comes by the nearer ones first. */
const YEARS_AT_ALL = 500;

const YEAR_NAME = /^(?:[a-z]+[-_])?(?:cal)?(?:year|yr|jahr|annee|ano|anno|rok|vuosi)$/i;
const MONTH_NAME = /^(?:[a-z]+[-_])?(?:m|mon|month|monat|mois|mes|mese)$/i;
const DATE_NAME =
  /date|day|tag|jour|month|monat|mois|week|woche|from|to$|start|end|begin|until|since|time|^cal|when|^[dt]$|^ts$/i;

/** Segments under which a bare number is a date. */
const CALENDAR_NAME =
  /cal|kal[ae]nd|agenda|event|veranst|termin|month|monat|mois|week|woche|day|date|datum|diary|schedule|archiv/i;

/** A date in the path or the query lies far from now. */
export function calendar(link: UrlParts, _page: UrlParts, nowMs: number): Verdict {
  const now = new Date(nowMs);
  const last = (now.getUTCFullYear() + YEARS_AHEAD) * 12 + now.getUTCMonth();
  const isFar = (year: number, month: number) =>
    Math.abs(year - now.getUTCFullYear()) <= YEARS_AT_ALL &&
    (year * 12 + month - 1 > last || year < FIRST_YEAR);
  return pathIsFar(link.segments, isFar) || queryIsFar(link.parameters, isFar) ? 'later' : null;
}

type IsFar = (year: number, month: number) => boolean;

/**
 * `/2031/05`, `/2031/05/12`, `/2031-05-12`, `/events-2031-05`; years of four digits, with a month. A number
 * like 203105, and one with a year before 1800, is one only under a name of calendars: more often it
 * counts articles or names a part.
 */
function pathIsFar(segments: readonly string[], isFar: IsFar): boolean {
  for (const [index, segment] of segments.entries()) {
    // Cheap first: most segments hold no year.
    if (!/\d{4}/.test(segment)) continue;
    const written = /(?:^|\D)(\d{4})([-._]?)(\d{2})(?:\2\d{2})?$/.exec(segment);
    const next = segments[index + 1] ?? '';
    const follows = /^\d{4}$/.test(segment) && /^\d{1,2}$/.test(next);
    const [year, month] = written
      ? [Number(written[1]), Number(written[3])]
      : follows
        ? [Number(segment), Number(next)]
        : [0, 0];
    if (month < 1 || month > 12) continue;
    // An old date within a path is that of an old thing; at its end, that of a calendar's page.
    const isLast = index + (written ? 1 : 2) >= segments.length - 1;
    if (!isFar(year, month) || (year < FIRST_YEAR && !isLast)) continue;
    const isPlain = written === null || (year >= FIRST_YEAR && written[2] !== '');
    if (isPlain || segments.slice(0, index + 1).some((name) => CALENDAR_NAME.test(name)))
      return true;
  }
  return false;
}

function queryIsFar(parameters: readonly Parameter[], isFar: IsFar): boolean {
  const hasMonth = parameters.some(({ name }) => MONTH_NAME.test(name));
  return parameters.some(({ name, value }) => {
    if (!/^\d{4}/.test(value)) return false;
    if (/^\d{4}$/.test(value)) {
      return (YEAR_NAME.test(name) || (hasMonth && /^y$/i.test(name))) && isFar(Number(value), 1);
    }
    if (!DATE_NAME.test(name)) return false;
    if (/^\d{10}$/.test(value)) {
      const date = new Date(Number(value) * 1000);
      return isFar(date.getUTCFullYear(), date.getUTCMonth() + 1);
    }
    const written = /^(\d{4})[-._/]?(\d{1,2})(?!\d)|^(\d{4})(\d{2})\d{2}$/.exec(value);
    if (written === null) return false;
    const month = Number(written[2] ?? written[4]);
    return month >= 1 && month <= 12 && isFar(Number(written[1] ?? written[3]), month);
  });
}
