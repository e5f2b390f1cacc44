/**
 * Whose pages a sitemap may list: those of its own registered domain, and those of the domain that
 * vouches for it, which is the one whose robots.txt (through indexes and redirects) named it.
 *
 * @see https://www.sitemaps.org/protocol.html#sitemaps_cross_submits; docs/adr/0011-sitemaps.md
 */
import type { CanonicalSettings } from '../contracts/settings.js';
import type { QueuedUrl } from '../contracts/urls.js';
import { fingerprint, sitemapFingerprintOf, type CanonicalUrl } from '../url/canonical-url.js';
import { registeredDomain } from '../url/host-key.js';

type Sitemap = Pick<QueuedUrl, 'url' | 'via'>;

/** Registered domain that vouches for a sitemap of another one; null where it stands for itself. */
function foreignVoucher({ url, via }: Sitemap): string | null {
  if (via === '') return null;
  const domain = registeredDomain(via);
  return domain === registeredDomain(url) ? null : domain;
}

/**
 * `via` of a sitemap that was found on `parent`: where a sitemap of another domain names or leads to
 * further ones, whoever vouches for it vouches for them.
 */
export function sitemapVia(parent: Pick<QueuedUrl, 'url' | 'kind'> & { via?: string }): string {
  const { url, via = '', kind } = parent;
  return kind === 'sitemap' && foreignVoucher({ url, via }) !== null ? via : parent.url;
}

/**
 * Fingerprint under which a sitemap is queued. One that several domains name is read once for each
 * of them: whoever comes first must not decide whose pages count.
 */
export function sitemapPrintOf(sitemap: Sitemap, rules: CanonicalSettings): string {
  const print = sitemapFingerprintOf(sitemap.url, rules);
  const voucher = foreignVoucher(sitemap);
  return voucher === null ? print : fingerprint(`${print} for ${voucher}` as CanonicalUrl);
}

/** May a sitemap list this URL? One that nobody named, found like a page, speaks for itself only. */
export function sitemapTrust(sitemap: Sitemap, isNamed: boolean): (url: string) => boolean {
  const trusted = new Set([registeredDomain(sitemap.url)]);
  if (isNamed && sitemap.via !== '') trusted.add(registeredDomain(sitemap.via));
  const known = new Map<string, boolean>();
  return (url) => {
    const origin = url.slice(0, url.indexOf('/', 'https://'.length));
    let answer = known.get(origin);
    if (answer === undefined) {
      answer = trusted.has(registeredDomain(url));
      known.set(origin, answer);
    }
    return answer;
  };
}
