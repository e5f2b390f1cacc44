/** What the crawl makes of an address: by the functions that it calls itself. */
import type { CanonicalSettings } from '../../contracts/settings.js';
import { encodingOf } from '../../parse/charset/encodings.js';
import { resolveLink } from '../../parse/links/resolve-link.js';
import { canonicalUrl, fingerprint } from '../../url/canonical-url.js';
import { hostKey, registeredDomainOrNull } from '../../url/host-key.js';
import { parseUrl } from '../../url/parse-url.js';
import { refuse, type RequestFields } from './request-fields.js';

/** Fields of a request. */
export const URL_FIELDS = ['href', 'base', 'documentCharset'] as const;

/** All null but `resolved` for what is no http(s) URL; `resolved` too for what is no URL at all. */
export interface UrlAnswer {
  /** Serialisation by the URL standard, userinfo and fragment kept. */
  readonly resolved: string | null;
  /** By which the crawl knows the page again; never requested. */
  readonly canonical: string | null;
  readonly fingerprint: string | null;
  /** Queue and gate that it belongs to. */
  readonly hostKey: string | null;
  /** Null also for IP addresses, localhost and bare public suffixes. */
  readonly registeredDomain: string | null;
}

/** @throws CONFIG_INVALID_OPTION */
export function inspectUrl(fields: RequestFields, rules: CanonicalSettings): UrlAnswer {
  const href = fields.required('href', '"/docs/"');
  const base = fields.text('base');
  const label = fields.text('documentCharset');
  const charset = label === null ? 'utf-8' : encodingOf(label);
  if (charset === null) {
    return refuse('documentCharset', label, 'is no encoding; give a label such as "windows-1252"');
  }
  const resolved = resolve(href, base, charset);
  const request = resolved === null ? null : parseUrl(resolved);
  if (request === null) {
    const none = { canonical: null, fingerprint: null, hostKey: null, registeredDomain: null };
    return { resolved, ...none };
  }
  const canonical = canonicalUrl(request, rules);
  return {
    resolved,
    canonical,
    fingerprint: fingerprint(canonical),
    hostKey: hostKey(request),
    registeredDomain: registeredDomainOrNull(request),
  };
}

/** Like resolveLink, but with all that a URL may have, and of any scheme. */
function resolve(href: string, base: string | null, charset: string): string | null {
  let url: URL;
  try {
    url = base === null ? new URL(href) : new URL(href, base);
  } catch {
    return null;
  }
  // Only the query depends on the page's encoding.
  const request = resolveLink(href, base ?? url.href, charset);
  if (request !== null && charset !== 'utf-8') url.search = new URL(request).search;
  return url.href;
}
