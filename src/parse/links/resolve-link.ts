/** From an href in a document to the URL that it asks for. */

import { parseUrl } from '../../url/parse-url.js';
import { percentEncodeQuery } from '../charset/encodings.js';

/** What an encoder may change: other than ASCII, and the bytes by which iso-2022-jp switches. */
// eslint-disable-next-line no-control-regex
const NOT_AS_IT_STANDS = /[^\u0000-\u007f]|[\u000e\u000f\u001b]/;

/**
 * Resolve an href: the path is UTF-8 always, the query is in the document's encoding.
 *
 * @param charset the document's encoding
 * @returns null for what is no http(s) URL
 * @see https://url.spec.whatwg.org/#query-state
 */
export function resolveLink(href: string, base: string, charset: string): string | null {
  if (/^(?:utf-8|utf-16)/.test(charset)) return parseUrl(href, base);
  const withoutFragment = withoutEnd(href).split('#', 1)[0] ?? '';
  const mark = withoutFragment.indexOf('?');
  const query = mark < 0 ? '' : withoutFragment.slice(mark + 1);
  if (!NOT_AS_IT_STANDS.test(query)) return parseUrl(href, base);
  const encoded = percentEncodeQuery(query.replace(/[\t\n\r]/g, ''), charset);
  if (encoded === null) return parseUrl(href, base);
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

/** Without spaces and controls at its end, which are no part of a URL; encoded they would become one. */
function withoutEnd(href: string): string {
  let end = href.length;
  while (end > 0 && href.charCodeAt(end - 1) <= 0x20) end -= 1;
  return href.slice(0, end);
}
