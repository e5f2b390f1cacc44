/** What a Content-Type header says. Pure. */

/** Essence and charset parameter; all else is of no use here. */
export interface MimeType {
  /** `type/subtype`, lower-case. */
  readonly essence: string;
  /** Label as it stands, unquoted; null without one. */
  readonly charset: string | null;
}

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+";
const TYPE = new RegExp(`^(${TOKEN}/${TOKEN})[\\t\\n\\r ]*(?:;|$)`);
/** One parameter; a quoted value that never ends goes on to the end. */
const PARAMETER = /;[\t\n\r ]*([^;=]*)(?:=("(?:[^"\\]|\\[^])*\\?"?|[^;]*)[^;]*)?/g;
const PIECE = /(?:"(?:[^"\\]|\\[^])*"?|[^",])+/g;

/**
 * The type of a response. Of several in one header, as proxies join them, the last valid one counts,
 * and keeps the charset of its like before it.
 *
 * @param header value of the header; null without one
 * @returns null where there is no valid type
 * @see https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
 */
export function parseMimeType(header: string | null): MimeType | null {
  let found: MimeType | null = null;
  for (const [piece] of (header ?? '').matchAll(PIECE)) {
    const next = parseOne(piece.replace(/^[\t\n\r ]+/, ''));
    if (next === null || next.essence === '*/*') continue;
    found = joined(found, next);
  }
  return found;
}

function joined(before: MimeType | null, next: MimeType): MimeType {
  if (before?.essence !== next.essence) return next;
  return { ...next, charset: next.charset ?? before.charset };
}

/** @see https://mimesniff.spec.whatwg.org/#parse-a-mime-type */
function parseOne(text: string): MimeType | null {
  const type = TYPE.exec(text)?.[1];
  if (type === undefined) return null;
  let charset: string | null = null;
  for (const [, name = '', value = ''] of text.slice(type.length).matchAll(PARAMETER)) {
    if (charset !== null || name.toLowerCase() !== 'charset') continue;
    // A quoted value may be empty; a bare one that is counts as none.
    if (value.startsWith('"')) charset = unquoted(value);
    else charset = value.replace(/[\t\n\r ]+$/, '') || null;
  }
  return { essence: type.toLowerCase(), charset };
}

function unquoted(value: string): string {
  const isClosed = /^"(?:[^"\\]|\\[^])*"$/.test(value);
  return value.slice(1, isClosed ? -1 : undefined).replace(/\\([^])/g, '$1');
}
