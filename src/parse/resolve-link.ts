/** From an href in a document to the URL that it asks for. */

import { parseUrl } from '../url/parse-url.js';
import { createEncoder } from './legacy-encoder.js';

/**
 * Resolve an href: the path is UTF-8 always, the query is in the document's encoding.
 *
 * @param charset the document's encoding
 * @returns null for what is no http(s) URL
 * @see https://url.spec.whatwg.org/#query-state
 */
export function resolveLink(href: string, base: string, charset: string): string | null {
  if (/^(?:utf-8|utf-16)/.test(charset)) return parseUrl(href, base);
  const withoutFragment = href.split('#', 1)[0] ?? '';
  const mark = withoutFragment.indexOf('?');
  const query = mark < 0 ? '' : withoutFragment.slice(mark + 1);
  // eslint-disable-next-line no-control-regex
  if (!/[^\u0000-\u007f]/.test(query)) return parseUrl(href, base);
  const encode = createEncoder(charset);
  if (encode === null) return parseUrl(href, base);
  // Leading and trailing blanks are no part of a URL; here the end would become part of the query.
  const encoded = percentEncodeQuery(query.trim(), encode);
  return parseUrl(`${withoutFragment.slice(0, mark + 1)}${encoded}`, base);
}

/**
 * Base URL that `<base href>` gives a document: of any scheme, except that `data:` and `javascript:`
 * count as none, as does what is no URL.
 *
 * @param fallback base without it
 * @see https://html.spec.whatwg.org/#set-the-frozen-base-url
 */
export function resolveBase(href: string, fallback: string): string {
  try {
    const url = new URL(href, fallback);
    return /^(?:data|javascript):$/.test(url.protocol) ? fallback : url.href;
  } catch {
    return fallback;
  }
}

/** Bytes that a query may not hold raw: the "special-query percent-encode set". */
function mustEncode(byte: number): boolean {
  return byte <= 0x20 || byte >= 0x7f || [0x22, 0x23, 0x27, 0x3c, 0x3e].includes(byte);
}

function percentEncodeQuery(
  query: string,
  encode: (text: string) => readonly (number | string)[],
): string {
  let out = '';
  for (const item of encode(query.replace(/[\t\n\r]/g, ''))) {
    if (typeof item === 'string') {
      // What the encoding lacks is sent as a character reference.
      out += `%26%23${item.codePointAt(0) ?? 0}%3B`;
    } else if (mustEncode(item)) {
      out += `%${item.toString(16).toUpperCase().padStart(2, '0')}`;
    } else {
      out += String.fromCharCode(item);
    }
  }
  return out;
}
