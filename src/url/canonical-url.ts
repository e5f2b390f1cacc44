/** The canonical form of a URL, by which the crawl knows it again (F7), and its fingerprint. */

import { createHash } from 'node:crypto';
import type { CanonicalSettings } from '../contracts/settings.js';
import { applyRules } from './canonical-rules.js';
import { DEFAULT_CANONICAL } from './canonical-settings.js';
import { parseUrl } from './parse-url.js';

declare const canonicalBrand: unique symbol;

/** A URL in canonical form: for comparison only, never fetched. canonicalUrl is its only maker. */
export type CanonicalUrl = string & { readonly [canonicalBrand]: true };

/** Fingerprint length in hexadecimal digits: 80 bits. */
export const FINGERPRINT_HEX = 20;

/**
 * Canonical form of a URL. Total and idempotent under any rules: what is no http(s) URL comes back
 * as it is.
 *
 * @param rules settings.canonical of the crawl
 * @see canonical-rules.ts for the rules
 */
export function canonicalUrl(
  fetchUrl: string,
  rules: CanonicalSettings = DEFAULT_CANONICAL,
): CanonicalUrl {
  const parsed = parseUrl(fetchUrl);
  if (parsed === null) return fetchUrl as CanonicalUrl;
  const match = /^(https?:\/\/)([^/]*)([^?]*)(?:\?(.*))?$/s.exec(parsed);
  if (match === null) return fetchUrl as CanonicalUrl;
  const [, scheme = '', host = '', path = ''] = match;
  const parts = applyRules({ host, path, query: match[4] ?? null }, rules);
  const form = `${scheme}${parts.host}${parts.path}${parts.query === null ? '' : `?${parts.query}`}`;
  // What one rule has taken away may lay bare what the parser or another rule acts on: `..;sid=…`.
  return form === parsed ? (form as CanonicalUrl) : canonicalUrl(form, rules);
}

/**
 * The first 20 hexadecimal digits of the SHA-256 of a canonical URL.
 *
 * Collision bound (birthday, n²/2^81): 3.7e-10 that any two of 30 million URLs share one, 4.1e-7 of
 * a billion: far under the Bloom filter's error rate.
 */
export function fingerprint(canonical: CanonicalUrl): string {
  return createHash('sha256').update(canonical).digest('hex').slice(0, FINGERPRINT_HEX);
}

/** Fingerprint of a URL's canonical form under a crawl's rules. */
export function fingerprintOf(fetchUrl: string, rules: CanonicalSettings): string {
  return fingerprint(canonicalUrl(fetchUrl, rules));
}

/**
 * Fingerprint of a URL that is read as a sitemap: another one than that of the same URL as a page,
 * for whoever names a page a sitemap must not keep it from being fetched as a page.
 */
export function sitemapFingerprintOf(fetchUrl: string, rules: CanonicalSettings): string {
  return fingerprint(`sitemap ${canonicalUrl(fetchUrl, rules)}` as CanonicalUrl);
}
