/** URLs as the crawl fetches them: WHATWG resolution, http and https only, nothing secret in them. */

import { UrlError } from '../errors.js';

/**
 * Longest URL that is crawled, in characters. Common servers refuse request lines past 8 to 16 KiB;
 * a longer URL is dropped whole, never cut: a cut URL is another page.
 */
export const MAX_URL_CHARS = 16_384;

/**
 * What is requested for `input`: its WHATWG serialisation without fragment and without userinfo
 * (credentials are never sent, kept or logged).
 *
 * @param base absolute URL against which a relative `input` is resolved
 * @returns null for what is no http(s) URL, or is longer than MAX_URL_CHARS
 * @see https://url.spec.whatwg.org/#concept-url-parser
 */
export function parseUrl(input: string, base?: string): string | null {
  // A thrown error costs fifty times as much, and strangers write what is no URL.
  if (!URL.canParse(input, base)) return null;
  const url = new URL(input, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href.length > MAX_URL_CHARS ? null : url.href;
}

/**
 * parseUrl for input of people.
 *
 * @param field option or argument that the value came from, named in the message
 * @throws URL_INVALID, URL_UNSUPPORTED_SCHEME
 */
export function requireUrl(input: string, field: string): string {
  const url = parseUrl(input);
  if (url !== null) return url;
  const shown = JSON.stringify(withoutUserinfo(input));
  const details = { field, value: withoutUserinfo(input) };
  const scheme = schemeOf(input);
  if (scheme !== null && scheme !== 'http:' && scheme !== 'https:') {
    throw new UrlError(
      'URL_UNSUPPORTED_SCHEME',
      `${field}: ${shown} has the scheme "${scheme.slice(0, -1)}"; only http and https are crawled. ` +
        `Give a URL that starts with https:// or http://.`,
      { details },
    );
  }
  const guess = scheme === null ? parseUrl(`https://${input.trim()}`) : null;
  const reason =
    input.length > MAX_URL_CHARS
      ? `is longer than ${MAX_URL_CHARS} characters. Give a shorter URL.`
      : `is no absolute URL. Give one such as ${guess ?? 'https://example.com/'}.`;
  throw new UrlError('URL_INVALID', `${field}: ${cut(shown)} ${reason}`, { details });
}

/** `example.com:8080/x` parses as a URL with the scheme `example.com:`; people mean a host. */
function schemeOf(input: string): string | null {
  const match = /^\s*([a-z][a-z0-9+-]*:)(?!\d)/i.exec(input);
  return match?.[1]?.toLowerCase() ?? null;
}

function withoutUserinfo(input: string): string {
  return input.replace(/^([^/?#]*\/\/)[^/?#]*@/, '$1');
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…"` : text;
}
