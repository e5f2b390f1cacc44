/** Rules of the canonical form about characters: one spelling of each. */

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
