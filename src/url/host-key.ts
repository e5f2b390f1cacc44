/** What a URL belongs to: its host (a queue and a gate of its own) and its registered domain. */

import { getDomain } from 'tldts';
import { dropHostTrailingDot } from './canonical-host.js';
import { requireUrl } from './parse-url.js';

/**
 * Key of the host queue: host name, `:port` where it is not the scheme's default. http and https
 * of a host share one key, because they share one server to be polite to.
 *
 * @throws URL_INVALID, URL_UNSUPPORTED_SCHEME
 */
export function hostKey(url: string): string {
  return dropHostTrailingDot(new URL(requireUrl(url, 'url')).host);
}

/**
 * Registered domain (public suffix plus one label), private section of the list included, so that
 * `a.github.io` and `b.github.io` are two sites. What has none (IP addresses, localhost, a bare
 * public suffix) stands for itself.
 *
 * @param hostOrUrl host name with or without port, or URL
 * @see https://publicsuffix.org/list/ (R1)
 */
export function registeredDomain(hostOrUrl: string): string {
  return registeredDomainOrNull(hostOrUrl) ?? hostnameOf(hostOrUrl);
}

/**
 * Like registeredDomain, but null where the host has no registered domain: also where a label of it
 * is empty (`a..b`), which the URL standard lets pass and DNS does not (RFC 1035 §3.1).
 */
export function registeredDomainOrNull(hostOrUrl: string): string | null {
  const hostname = hostnameOf(hostOrUrl);
  if (hostname.split('.').includes('')) return null;
  return getDomain(hostname, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
  });
}

function hostnameOf(hostOrUrl: string): string {
  if (/^https?:\/\//i.test(hostOrUrl) && URL.canParse(hostOrUrl)) {
    return dropHostTrailingDot(new URL(hostOrUrl).hostname);
  }
  return dropHostTrailingDot(hostOrUrl.toLowerCase().replace(/:\d+$/, ''));
}
