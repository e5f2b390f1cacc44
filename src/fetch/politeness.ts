/**
 * Arithmetic of waiting: Retry-After, backoff of a host in trouble, the delay between requests.
 * Pure; the gate (Redis) and the workflows do the actual waiting.
 */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const FIRST_BACKOFF_MS = 60_000;
const DAY_MS = 86_400_000;

/** The three forms of RFC 9110 §5.6.7; named groups so that one routine reads them all. */
const HTTP_DATES = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  /^[a-z]{3}, (?<day>\d{2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<h>\d{2}):(?<m>\d{2}):(?<s>\d{2}) gmt$/,
  // Sunday, 06-Nov-94 08:49:37 GMT
  /^[a-z]+, (?<day>\d{2})-(?<month>[a-z]{3})-(?<year>\d{2}) (?<h>\d{2}):(?<m>\d{2}):(?<s>\d{2}) gmt$/,
  // Sun Nov  6 08:49:37 1994
  /^[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) (?<h>\d{2}):(?<m>\d{2}):(?<s>\d{2}) (?<year>\d{4})$/,
];

/**
 * Read an HTTP-date in any of its three forms.
 *
 * @param nowMs epoch; decides the century of a two-digit year (at most 50 years ahead)
 * @returns epoch milliseconds, null for anything else
 */
export function parseHttpDate(value: string, nowMs: number): number | null {
  const text = value.trim().toLowerCase();
  for (const form of HTTP_DATES) {
    const parts = form.exec(text)?.groups;
    if (!parts) continue;
    const month = MONTHS.indexOf(parts['month'] ?? '');
    const day = Number(parts['day']);
    const [hour, minute, second] = [Number(parts['h']), Number(parts['m']), Number(parts['s'])];
    if (month < 0 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return null;
    let year = Number(parts['year']);
    if (parts['year']?.length === 2) {
      const thisYear = new Date(nowMs).getUTCFullYear();
      year += thisYear - (thisYear % 100);
      if (year > thisYear + 50) year -= 100;
    }
    return Date.UTC(year, month, day, hour, minute, second);
  }
  return null;
}

/**
 * How long a Retry-After asks to wait.
 *
 * @param nowMs epoch, to which a date is compared
 * @param capMs longest wait that is granted, whatever the server asks
 * @returns milliseconds from now, 0 for a past date, null for nonsense (a negative number, too)
 * @see RFC 9110 §10.2.3
 */
export function parseRetryAfter(value: string, nowMs: number, capMs: number): number | null {
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), capMs);
  const dateMs = parseHttpDate(text, nowMs);
  return dateMs === null ? null : Math.min(Math.max(dateMs - nowMs, 0), capMs);
}

/**
 * Wait before a host in trouble is asked again: 60 s, doubled per failure in a row, a day at most,
 * each ±20 % so that hosts that failed together do not come back together.
 *
 * @param consecutiveFailures from 1; smaller counts as 1
 * @param random uniform in [0, 1)
 * @returns milliseconds, whole
 */
export function hostBackoffMs(consecutiveFailures: number, random: () => number): number {
  const doublings = Math.max(Math.floor(consecutiveFailures) - 1, 0);
  const plainMs = Math.min(FIRST_BACKOFF_MS * 2 ** doublings, DAY_MS);
  return Math.min(Math.round(plainMs * (0.8 + 0.4 * random())), DAY_MS);
}

/** What the delay to the next request of a host depends on; all in milliseconds. */
export interface DelayFacts {
  /** Configured minimum: nothing lowers it. */
  readonly delayMs: number;
  /** Crawl-delay of robots.txt; null without one. */
  readonly crawlDelayMs: number | null;
  /** Ceiling for Crawl-delay and for the factor. */
  readonly maxDelayMs: number;
  /** Delay as a multiple of the last fetch's duration; 0 is off. */
  readonly delayFactor: number;
  /** Duration of the host's last fetch; null before the first. */
  readonly lastFetchMs: number | null;
}

/**
 * Delay from the end of one response to the next request of the host: the largest of the
 * configured delay, Crawl-delay and factor × last fetch, the latter two up to the ceiling.
 *
 * @returns the delay, and whether it is shorter than the Crawl-delay asks, which must be said aloud
 */
export function politeDelayMs(facts: DelayFacts): { delayMs: number; crawlDelayCut: boolean } {
  const ceilingMs = facts.maxDelayMs;
  const crawlDelayMs = facts.crawlDelayMs ?? 0;
  const scaledMs = facts.delayFactor * (facts.lastFetchMs ?? 0);
  const delayMs = Math.ceil(
    Math.max(facts.delayMs, Math.min(crawlDelayMs, ceilingMs), Math.min(scaledMs, ceilingMs)),
  );
  return { delayMs, crawlDelayCut: delayMs < crawlDelayMs };
}
