/** What the answer to a request for robots.txt means for its origin: RFC 9309 §2.3.1. No I/O. */

import { UrlError } from '../errors.js';
import { parseUrl } from '../url/parse-url.js';

/** Bytes of a robots.txt that count: the 500 KiB that RFC 9309 §2.5 asks for at least. */
export const ROBOTS_MAX_BYTES = 512_000;
/** How long rules are used before robots.txt is asked again: 24 h, as RFC 9309 §2.4 allows. */
export const ROBOTS_TTL_MS = 24 * 60 * 60 * 1000;
/** Redirects of robots.txt that are followed, also to other hosts (RFC 9309 §2.3.1.2). */
export const ROBOTS_MAX_REDIRECTS = 5;
/** First wait before an unreachable robots.txt with a good copy is asked again; doubles each time. */
export const ROBOTS_RETRY_MS = 60 * 1000;
/** Longest wait before an unreachable robots.txt with a good copy is asked again. */
export const ROBOTS_RETRY_MAX_MS = 60 * 60 * 1000;

/**
 * - parse: read the rules of the body
 * - allowAll: there is no robots.txt (unavailable); everything may be fetched
 * - disallowAll: nobody knows (unreachable); nothing may be fetched for now, unless a good copy is
 *   at hand, and robots.txt is asked again
 */
export type RobotsAccess = 'parse' | 'allowAll' | 'disallowAll';

/** The final answer, redirects followed: a status, or why there was none. */
export type RobotsAnswer = { readonly status: number } | { readonly error: string };

/**
 * Access by the answer: 2xx parse; 3xx (that is: past ROBOTS_MAX_REDIRECTS, or leading nowhere) and
 * 4xx allowAll; 429, 5xx, anything else and no answer disallowAll. 429 is no "unavailable": the
 * server asked for less traffic, not for more. 304 says that there are rules and keeps them back.
 */
export function robotsAccess(answer: RobotsAnswer): RobotsAccess {
  if ('error' in answer) return 'disallowAll';
  const { status } = answer;
  if (status >= 200 && status < 300) return 'parse';
  if (status === 304 || status === 429) return 'disallowAll';
  return status >= 300 && status < 500 ? 'allowAll' : 'disallowAll';
}

/**
 * When to ask robots.txt again, in milliseconds.
 *
 * @param failures disallowAll answers in a row, this one included; 1 at least. A Retry-After of the
 *   server, where longer, is the caller's to respect.
 */
export function robotsRecheckMs(access: RobotsAccess, failures = 1): number {
  if (access !== 'disallowAll') return ROBOTS_TTL_MS;
  const doublings = Math.min(Math.max(0, failures - 1), 30);
  return Math.min(ROBOTS_RETRY_MAX_MS, ROBOTS_RETRY_MS * 2 ** doublings);
}

/**
 * Address of the robots.txt that governs a page: per origin, scheme and port included.
 *
 * @throws URL_INVALID when `pageUrl` is no http(s) URL
 */
export function robotsUrl(pageUrl: string): string {
  const url = parseUrl(pageUrl);
  if (url === null) {
    throw new UrlError('URL_INVALID', `pageUrl: ${JSON.stringify(pageUrl)} is no http(s) URL.`, {
      details: { field: 'pageUrl', value: pageUrl },
    });
  }
  return new URL('/robots.txt', url).href;
}
