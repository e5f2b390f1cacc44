/**
 * What a page says, as a digest: two pages with the same text under other addresses, dates and
 * numbers have the same one. Collected while the page is parsed; bounded in memory and time.
 */
import { createHash } from 'node:crypto';
import { AddressEcho, repeatsHref, withoutMarks } from './address-echo.js';
import { isDateName } from './date-names.js';

/** Text that the digest is made of, in characters; what follows is not read. */
export const MAX_TEXT_CHARS = 1_000_000;
/** Text that is collected before it is taken in. */
const PIECE_CHARS = 16_384;
/** A word that is longer is cut. */
const MAX_WORD_CHARS = 65_536;
/** Longer link texts are no mere names of their targets. */
const MAX_ANCHOR_CHARS = 2000;

/** Elements within words; all others separate words. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code em font i kbd mark q s small span strong sub sup tt u var wbr'.split(
    ' ',
  ),
);
const SILENT = new Set(['script', 'style']);
/** Tab, line ends, space, no-break and ideographic space. */
const SPACES = new Set([9, 10, 12, 13, 32, 0xa0, 0x3000]);
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const HAS_DIGIT = /\p{N}/u;
/** Scripts that put no spaces between words. */
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/;
const UNSPACED_NUMBER = /[\p{N}〇一二三四五六七八九十]+/gu;

/** Handlers of a tag stream, and the digest at its end. */
export class PageText {
  private readonly hash = createHash('sha256');
  private readonly echo: AddressEcho;
  private text = '';
  /** Length at which the collected text is taken in. */
  private takeAt = PIECE_CHARS;
  private read = 0;
  private silent: string | null = null;
  private anchor: { readonly href: string; text: string } | null = null;

  /** @param url the page's own: words that merely repeat it are left out */
  constructor(url: string) {
    this.echo = new AddressEcho(url);
  }

  onOpenTag(name: string, attributes: ReadonlyMap<string, string>): void {
    if (SILENT.has(name)) this.silent = name;
    if (name === 'a') {
      this.closeAnchor();
      const href = attributes.get('href');
      if (href !== undefined) this.anchor = { href, text: '' };
    }
    if (!INLINE.has(name)) this.add(' ');
  }

  onCloseTag(name: string): void {
    if (name === this.silent) this.silent = null;
    if (name === 'a') this.closeAnchor();
    if (!INLINE.has(name)) this.add(' ');
  }

  onText(text: string): void {
    if (this.silent === null) this.add(text);
  }

  /** 16 hexadecimal digits: 64 bits. The page has ended. */
  digest(): string {
    this.closeAnchor();
    this.takeIn(this.text);
    return this.hash.digest('hex').slice(0, 16);
  }

  private add(text: string): void {
    if (this.read >= MAX_TEXT_CHARS) return;
    if (this.anchor !== null) {
      this.anchor.text += text;
      if (this.anchor.text.length <= MAX_ANCHOR_CHARS) return;
      text = this.anchor.text;
      this.anchor = null;
    }
    this.text += text;
    if (this.text.length < this.takeAt) return;
    // Up to a gap, so that no word is torn.
    const gap = lastGap(this.text);
    if (gap < 1 && this.text.length < MAX_WORD_CHARS) {
      this.takeAt = this.text.length * 2;
      return;
    }
    const end = gap < 1 ? this.text.length : gap;
    this.takeIn(this.text.slice(0, end));
    this.text = this.text.slice(end);
    this.takeAt = this.text.length + PIECE_CHARS;
  }

  /** A link text that is only its address says nothing: lists of random links are all alike. */
  private closeAnchor(): void {
    const { anchor } = this;
    if (anchor === null) return;
    this.anchor = null;
    this.add(repeatsHref(anchor.text, anchor.href) ? ' ' : anchor.text);
  }

  private takeIn(text: string): void {
    this.read += text.length;
    let said = '';
    for (const chunk of text.toLowerCase().split(/\s+/)) {
      if (chunk === '') continue;
      const words = wordsOf(chunk);
      if (!this.echo.has(chunk, words.core)) said += words.said;
    }
    this.hash.update(said);
  }
}

/** Position of the last white space; -1 without any. */
function lastGap(text: string): number {
  let at = text.length - 1;
  while (at >= 0 && !SPACES.has(text.charCodeAt(at))) at -= 1;
  return at;
}

/** Text between spaces. */
interface Words {
  /** Without punctuation around it. */
  readonly core: string;
  /** Its words that count, each with a space. */
  readonly said: string;
}

/** Most text is made of few words: they are taken apart once. Dropped when full. */
const knownWords = new Map<string, Words>();
const MAX_KNOWN = 20_000;
const MAX_KNOWN_CHARS = 40;

function wordsOf(chunk: string): Words {
  const known = knownWords.get(chunk);
  if (known !== undefined) return known;
  let said = '';
  for (const [word] of chunk.matchAll(WORD)) {
    const kept = wordOf(word);
    if (kept !== '') said += `${kept} `;
  }
  const words = { core: withoutMarks(chunk), said };
  if (chunk.length > MAX_KNOWN_CHARS) return words;
  if (knownWords.size >= MAX_KNOWN) knownWords.clear();
  // Copies: a piece of a string keeps the whole of it in memory.
  knownWords.set(copyOf(chunk), { core: copyOf(words.core), said: copyOf(said) });
  return words;
}

const copyOf = (text: string): string => Buffer.from(text).toString();

/** The word, or what of it is no number and no date. */
function wordOf(word: string): string {
  if (isDateName(word)) return '';
  if (UNSPACED.test(word)) return word.replace(UNSPACED_NUMBER, '');
  return HAS_DIGIT.test(word) ? '' : word;
}
