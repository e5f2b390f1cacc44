/** URLs that a style sheet loads. Pure. */

/** Characters of one style sheet that are read. */
export const MAX_CSS_CHARS = 4 * 1024 * 1024;

const ESCAPE = String.raw`\\(?:[0-9a-fA-F]{1,6}(?:\r\n|[ \t\n\f\r])?|[^\n\f\r0-9a-fA-F])`;
const STRING = String.raw`"(?:[^"\\\n\f\r]|\\[^])*"?|'(?:[^'\\\n\f\r]|\\[^])*'?`;
/**
 * Tokens that matter: comments, strings, `url(` with what it holds, at-keywords, other functions, and
 * the punctuation that ends a rule. What lies between them is skipped.
 */
const TOKEN = new RegExp(
  [
    String.raw`\/\*[^]*?(?:\*\/|$)`,
    String.raw`(?<string>${STRING})`,
    // Not behind a letter: that would be another function's name.
    String.raw`(?<![\w-])url\([ \t\n\f\r]*(?:(?<quoted>${STRING})|(?<bare>(?:[^"'()\\ \t\n\f\r]|${ESCAPE})*)(?<bad>[ \t\n\f\r]*[^) \t\n\f\r])?)`,
    String.raw`@(?<at>[\w-]+)`,
    String.raw`(?<set>(?:-webkit-)?image-set)\(`,
    String.raw`(?<mark>[;{}()])`,
  ].join('|'),
  'gi',
);

/**
 * URLs of `url()`, of `@import` and of the strings in `image-set()`, as written, escapes undone.
 * Not those of `@namespace`, which names nothing to fetch, nor of comments, strings, `data:` and
 * references into the document (`#id`).
 *
 * @see https://drafts.csswg.org/css-syntax/#tokenization
 */
export function cssUrls(css: string): string[] {
  const urls: string[] = [];
  let rule = '';
  let depth = 0;
  /** Parenthesis in which the strings are URLs. */
  let setDepth = 0;
  const add = (raw: string) => {
    const url = unescape(raw).trim();
    if (url !== '' && !/^(?:#|data:)/i.test(url) && rule !== 'namespace') urls.push(url);
  };
  for (const { groups = {} } of css.slice(0, MAX_CSS_CHARS).matchAll(TOKEN)) {
    const { string, quoted, bare, bad, at, set, mark } = groups;
    if (at !== undefined) {
      rule = at.toLowerCase();
    } else if (set !== undefined) {
      depth++;
      setDepth ||= depth;
    } else if (quoted !== undefined) {
      depth++;
      add(unquote(quoted));
      if (rule === 'import') rule = 'imported';
    } else if (bare !== undefined) {
      depth++;
      if (bad === undefined) add(bare);
      if (rule === 'import') rule = 'imported';
    } else if (string !== undefined) {
      if (rule === 'import' && depth === 0) {
        add(unquote(string));
        rule = 'imported';
      } else if (setDepth > 0 && depth === setDepth) {
        add(unquote(string));
      }
    } else if (mark === '(') {
      depth++;
    } else if (mark === ')') {
      if (depth === setDepth) setDepth = 0;
      depth = Math.max(0, depth - 1);
    } else if (mark !== undefined) {
      // A block or the end of a statement: unbalanced parentheses end here too.
      depth = setDepth = 0;
      rule = '';
    }
  }
  return urls;
}

function unquote(text: string): string {
  return text.length > 1 && text.endsWith(text[0] ?? '') ? text.slice(1, -1) : text.slice(1);
}

function unescape(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\n\f\r])?|(\r\n|[\n\f\r])|([^]))/gi,
    (_all, hex?: string, line?: string, char?: string) => {
      if (line !== undefined) return '';
      if (hex === undefined) return char ?? '';
      const code = Number.parseInt(hex, 16);
      const isChar = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isChar ? String.fromCodePoint(code) : '\ufffd';
    },
  );
}
