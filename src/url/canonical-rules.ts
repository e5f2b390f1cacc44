/**
 * The rules of the canonical form, one pure function each. What is merged here is never fetched
 * twice, so a rule may only merge what serves the same page practically always.
 *
 * The WHATWG parser (parse-url.ts) has done these before: lower-case scheme, lower-case host in
 * ASCII (IDNA), IP addresses in one spelling, default port dropped, empty path is `/`, dot segments
 * removed, characters that no URL may hold raw are percent-encoded as UTF-8, fragment dropped.
 *
 * Off, because they lose pages: parameter order, index pages, session ids, `www.`, http = https.
 */

const UNRESERVED = /[A-Za-z0-9\-._~]/;
const HEX = /[0-9A-Fa-f]/;
/** A stray `%` that the next one or two characters could complete to an escape. */
const OPEN_ESCAPE = /%[0-9A-Fa-f]?$/;

/**
 * One spelling of escapes: hexadecimal digits in upper case, unreserved characters decoded.
 * A character stays encoded where decoding it would complete a new escape (`%%300`).
 *
 * @see RFC 3986 §6.2.2.1, §6.2.2.2
 */
export function normalizeEscapes(text: string): string {
  if (!text.includes('%')) return text;
  let out = '';
  let at = 0;
  for (;;) {
    const percent = text.indexOf('%', at);
    if (percent < 0) return out + text.slice(at);
    out += text.slice(at, percent);
    const hex = text.slice(percent + 1, percent + 3);
    if (!/^[0-9A-Fa-f]{2}$/.test(hex)) {
      out += '%';
      at = percent + 1;
      continue;
    }
    const char = String.fromCharCode(Number.parseInt(hex, 16));
    const keep = !UNRESERVED.test(char) || (HEX.test(char) && OPEN_ESCAPE.test(out.slice(-2)));
    out += keep ? `%${hex.toUpperCase()}` : char;
    at = percent + 3;
  }
}

/**
 * Encode what RFC 3986 allows in no path and no query, but the WHATWG parser leaves raw in one of
 * them, so that `a[]=1` equals `a%5B%5D=1`.
 *
 * @see RFC 3986 §3.3, §3.4
 */
export function encodeForbidden(text: string): string {
  return text.replace(
    /[[\]{}|\\^`]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** `example.com.` is `example.com` for a web server. Only a single trailing dot is dropped. */
export function dropHostTrailingDot(host: string): string {
  return host.replace(/^(.*[^.])\.(?=:\d+$|$)/, '$1');
}

/** `/docs/` is `/docs`; the root and a path that ends in an empty segment (`/a//`) stay. */
export function dropTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') && !path.endsWith('//') ? path.slice(0, -1) : path;
}

/** Names of parameters that track visits and never choose content, lower-case; `*` ends a prefix. */
// prettier-ignore
export const TRACKING_PARAMETERS: readonly string[] = [
  // Campaigns: Google Analytics, Matomo and Piwik, HubSpot ads
  'utm_*', 'mtm_*', 'pk_campaign', 'pk_kwd', 'pk_source', 'pk_medium', 'pk_content', 'hsa_*',
  // Click ids: Google, Meta, Microsoft, Yandex, X, TikTok, LinkedIn, Pinterest, Instagram, Reddit
  'gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_source', 'gad_campaignid', 'srsltid',
  'fbclid', 'msclkid', 'yclid', 'ysclid', 'twclid', 'ttclid', 'li_fat_id', 'epik', 'igshid', 'igsh',
  'rdt_cid',
  // Cross-domain hand-over of Google Analytics
  '_ga', '_gl',
  // Mailings: Mailchimp, HubSpot, Marketo, Vero, Omeda, MailerLite
  'mc_cid', 'mc_eid', '_hsenc', '_hsmi', '__hstc', '__hssc', '__hsfp', 'hsctatracking', 'mkt_tok',
  'vero_id', 'vero_conv', 'oly_anon_id', 'oly_enc_id', 'ml_subscriber', 'ml_subscriber_hash',
  // Openstat
  '_openstat',
];

const TRACKING_NAMES = new Set(TRACKING_PARAMETERS.filter((name) => !name.endsWith('*')));
const TRACKING_PREFIXES = TRACKING_PARAMETERS.filter((name) => name.endsWith('*')).map((name) =>
  name.slice(0, -1),
);

/**
 * Drop tracking parameters; all others keep place, order and spelling.
 *
 * @param query without `?`, escapes normalised
 */
export function dropTrackingParameters(query: string): string {
  return query
    .split('&')
    .filter((pair) => !isTracking((pair.split('=', 1)[0] ?? '').toLowerCase()))
    .join('&');
}

function isTracking(name: string): boolean {
  return TRACKING_NAMES.has(name) || TRACKING_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** The query with its `?`, or nothing: `/a?` is `/a`. */
export function dropEmptyQuery(query: string): string {
  return query === '' ? '' : `?${query}`;
}
