/** How the crawler names itself, and which robots.txt groups are meant for that name. */

import { VERSION } from './version.js';

/**
 * Sent unless `userAgent` is given. It claims no contact, because nobody gave one: a crawl of sites
 * that are not one's own should name somebody who answers.
 */
export const DEFAULT_USER_AGENT = `orbweaver/${VERSION} (operator gave no contact)`;

/**
 * The product token by which robots.txt groups are chosen (RFC 9309 §2.2.1): the name before the
 * first slash, or, behind the conventional `Mozilla/5.0 (compatible; Name/1.0; …)`, that Name.
 *
 * @returns undefined where the text starts with no token
 */
export function productToken(userAgent: string): string | undefined {
  const disguised = /^Mozilla\/[\d.]+ \(compatible; *([A-Za-z0-9_-]+)/i.exec(userAgent);
  return disguised?.[1] ?? /^[A-Za-z0-9_-]+/.exec(userAgent)?.[0];
}

/** Does the text name a way to reach the operator: a web address or a mail address? */
export function namesContact(userAgent: string): boolean {
  return /https?:\/\/|[^\s@]+@[^\s@]+\.[^\s@]+/i.test(userAgent);
}
