/** URLs in plain text. */

/** A URL in text ends at white space, quotes and angle brackets, ASCII or not. */
const URL_IN_TEXT =
  /(?<![\p{L}\p{N}_.+-])https?:\/\/[^\s\p{C}<>"“”„‟«»‹›「」『』【】《》〈〉`|\\^]+/giu;
/** Punctuation that ends a sentence rather than a URL. */
const TRAILING = /[.,;:!?'’‘…。、，．；：！？*_~]$/u;
const CLOSING: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
  ['）', '（'],
]);
/** Text of one run that is held; a longer one is read in parts, cut at white space. */
const MAX_RUN_CHARS = 65_536;

/**
 * http(s) URLs in a text, in order: without the punctuation that follows them, and without a closing
 * bracket that has no opening one in the URL. A URL that a line break cuts ends there.
 */
export function findTextLinks(text: string): string[] {
  return [...text.matchAll(URL_IN_TEXT)]
    .map(([url]) => trimEnd(url))
    .filter((url) => /^https?:\/\/[^/?#]/i.test(url));
}

function trimEnd(url: string): string {
  const balance = new Map<string, number>();
  for (const char of url) balance.set(char, (balance.get(char) ?? 0) + 1);
  let end = url.length;
  for (; end > 0; end--) {
    const last = url[end - 1] ?? '';
    const opening = CLOSING.get(last);
    const isStray = opening !== undefined && (balance.get(last) ?? 0) > (balance.get(opening) ?? 0);
    if (!isStray && !TRAILING.test(last)) break;
    balance.set(last, (balance.get(last) ?? 0) - 1);
  }
  return url.slice(0, end);
}

/** Collects text in pieces; the links do not depend on where the pieces are cut. */
export class TextRun {
  private text = '';
  private readonly onLink: (url: string) => void;

  constructor(onLink: (url: string) => void) {
    this.onLink = onLink;
  }

  add(text: string): void {
    this.text += text;
    while (this.text.length > MAX_RUN_CHARS) {
      const head = this.text.slice(0, MAX_RUN_CHARS);
      const cut = Math.max(head.lastIndexOf(' '), head.lastIndexOf('\n')) + 1 || MAX_RUN_CHARS;
      this.read(this.text.slice(0, cut));
      this.text = this.text.slice(cut);
    }
  }

  /** What was collected is one text: read it and begin another. */
  flush(): void {
    const { text } = this;
    this.text = '';
    this.read(text);
  }

  private read(text: string): void {
    // Most text has none: the pattern is slow to say so.
    if (text.includes('://')) findTextLinks(text).forEach(this.onLink);
  }
}
