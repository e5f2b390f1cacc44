/** URLs of a srcset attribute. Pure. */

/**
 * Candidates in order, as written. Commas belong to a URL unless they end it; what follows a URL, up to
 * a comma outside of parentheses, is its descriptors. A candidate with broken descriptors is left out,
 * as browsers do.
 *
 * @see https://html.spec.whatwg.org/#parse-a-srcset-attribute
 */
export function parseSrcset(value: string): string[] {
  const urls: string[] = [];
  let at = 0;
  for (;;) {
    at = skip(/[\t\n\f\r ,]*/y, value, at);
    if (at >= value.length) return urls;
    const end = skip(/[^\t\n\f\r ]*/y, value, at);
    const url = value.slice(at, end);
    at = end;
    if (url.endsWith(',')) {
      urls.push(url.replace(/,+$/, ''));
      continue;
    }
    const tail = /(?:[^,(]+|\([^)]*\)?)*/y;
    tail.lastIndex = at;
    const descriptors = tail.exec(value)?.[0] ?? '';
    at += descriptors.length;
    if (areDescriptors(descriptors)) urls.push(url);
  }
}

function areDescriptors(text: string): boolean {
  const seen = new Set<string>();
  for (const word of text.split(/[\t\n\f\r ]+/).filter(Boolean)) {
    const kind = /^\d+w$/.test(word)
      ? 'w'
      : /^\d+h$/.test(word)
        ? 'h'
        : /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?x$/.test(word)
          ? 'x'
          : null;
    if (kind === null || seen.has(kind) || /^0+[wh]$/.test(word)) return false;
    // A density may be zero, in either sign, not less.
    if (Number.parseFloat(word) < 0) return false;
    seen.add(kind);
  }
  return !(seen.has('x') && seen.size > 1) && !(seen.has('h') && !seen.has('w'));
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
