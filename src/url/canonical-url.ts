/** The canonical form of a URL, by which the crawl knows it again (F7), and its fingerprint. */

import { createHash } from 'node:crypto';
import {
  dropEmptyQuery,
  dropHostTrailingDot,
  dropTrackingParameters,
  dropTrailingSlash,
  encodeForbidden,
  normalizeEscapes,
} from './canonical-rules.js';
import { parseUrl } from './parse-url.js';

declare const canonicalBrand: unique symbol;

/** A URL in canonical form: for comparison only, never fetched. canonicalUrl is its only maker. */
export type CanonicalUrl = string & { readonly [canonicalBrand]: true };

/** Fingerprint length in hexadecimal digits: 80 bits. */
export const FINGERPRINT_HEX = 20;

/**
 * Canonical form of a URL. Total and idempotent: what is no http(s) URL comes back as it is.
 *
 * @see canonical-rules.ts for the rules
 */
export function canonicalUrl(fetchUrl: string): CanonicalUrl {
  const parsed = parseUrl(fetchUrl);
  if (parsed === null) return fetchUrl as CanonicalUrl;
  const match = /^(https?:\/\/)([^/]*)([^?]*)(?:\?(.*))?$/s.exec(parsed);
  if (match === null) return fetchUrl as CanonicalUrl;
  const [, scheme = '', host = '', path = '', query = ''] = match;
  return (scheme +
    dropHostTrailingDot(host) +
    dropTrailingSlash(normalizeEscapes(encodeForbidden(path))) +
    dropEmptyQuery(
      dropTrackingParameters(normalizeEscapes(encodeForbidden(query))),
    )) as CanonicalUrl;
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

/** Fingerprint of a URL's canonical form. */
export function fingerprintOf(fetchUrl: string): string {
  return fingerprint(canonicalUrl(fetchUrl));
}

/**
 * Fingerprint of a URL that is read as a sitemap: another one than that of the same URL as a page,
 * for whoever names a page a sitemap must not keep it from being fetched as a page.
 */
export function sitemapFingerprintOf(fetchUrl: string): string {
  return fingerprint(`sitemap ${canonicalUrl(fetchUrl)}` as CanonicalUrl);
}
