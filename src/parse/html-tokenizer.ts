/**
 * Tokens of HTML as the standard reads them, from text in pieces of any length: the result does not
 * depend on where the pieces are cut. Linear in the input; what is held back between two pieces is a
 * few characters, besides the tag that is being read.
 *
 * @see https://html.spec.whatwg.org/#tokenization
 */

import { TagReader, type RawAttributes } from './tag-reader.js';

/** How the content of an element is read, if not as markup. */
export type RawContent = 'rcdata' | 'rawtext' | 'script' | 'plaintext';

/** Whom to tell. Names are lower-case. */
export interface TokenHandlers {
  /** @returns how what follows is read: null for markup */
  onStartTag(name: string, attributes: RawAttributes, isSelfClosing: boolean): RawContent | null;
  onEndTag(name: string): void;
  /** Text in pieces. `isLiteral`: of a raw text element or CDATA section, so that `&` is only that. */
  onText(text: string, isLiteral: boolean): void;
  /** Is `<![CDATA[` a section here (in SVG and MathML), or a comment? */
  allowsCdata(): boolean;
}

type State = 'data' | 'tag' | 'comment' | 'bogusComment' | 'cdata' | RawContent;

const COMMENT_END = /--!?>/g;
/** Script data, plain, escaped by `<!--`, and escaped twice by a `<script` in that. */
const SCRIPT = [
  /<\/script[\t\n\f\r />]|<!--/gi,
  /-->|<\/script[\t\n\f\r />]|<script[\t\n\f\r />]/gi,
  /-->|<\/script[\t\n\f\r />]/gi,
] as const;
type ScriptLevel = 0 | 1 | 2;

/** Write pieces of text in order, then end. */
export class HtmlTokenizer {
  private readonly handlers: TokenHandlers;
  private readonly tag: TagReader;
  private state: State = 'data';
  /** Text that is not read yet starts at `at`. */
  private buffer = '';
  private at = 0;
  private isLast = false;
  private isCommentStart = false;
  private rawName = '';
  private rawEnd = /$^/g;
  private scriptLevel: ScriptLevel = 0;

  /** @param attributes lower-case names of the attributes to keep */
  constructor(attributes: ReadonlySet<string>, handlers: TokenHandlers) {
    this.handlers = handlers;
    this.tag = new TagReader(attributes);
  }

  write(text: string): void {
    // In tags and raw text a NUL is a replacement character; in other text browsers drop it.
    this.buffer = this.buffer.slice(this.at) + text.replaceAll('\0', '\ufffd');
    this.at = 0;
    this.run();
  }

  /** Nothing more comes: an unfinished tag or comment is dropped, as browsers do. */
  end(): void {
    this.isLast = true;
    this.run();
    this.buffer = '';
  }

  private run(): void {
    while (this.at < this.buffer.length && this.step());
  }

  /** Read on; false when more text is needed to tell what follows. */
  private step(): boolean {
    switch (this.state) {
      case 'data':
        return this.readData();
      case 'tag':
        return this.readTag();
      case 'comment':
        return this.readComment();
      case 'bogusComment':
        return this.skipTo('>', 0);
      case 'cdata':
        return this.skipTo(']]>', 2);
      case 'plaintext':
        return this.emit(this.buffer.length, true);
      case 'script':
        return this.readScript();
      case 'rcdata':
      case 'rawtext':
        return this.readRawText();
    }
  }

  private readData(): boolean {
    const open = this.buffer.indexOf('<', this.at);
    if (open !== this.at) return this.emit(open < 0 ? this.buffer.length : open, false);
    const next = this.buffer[this.at + 1];
    if (next === undefined) return this.isLast && this.emit(this.at + 1, false);
    if (isLetter(next)) return this.startTag(false, 1);
    if (next === '!') return this.readDeclaration();
    if (next === '?') return this.enter('bogusComment', 1);
    if (next !== '/') return this.emit(this.at + 1, false);
    const third = this.buffer[this.at + 2];
    if (third === undefined) return this.isLast && this.emit(this.at + 2, false);
    if (isLetter(third)) return this.startTag(true, 2);
    return third === '>' ? this.enter('data', 3) : this.enter('bogusComment', 2);
  }

  private readDeclaration(): boolean {
    const head = this.buffer.slice(this.at + 2, this.at + 9);
    if (head.startsWith('--')) {
      this.isCommentStart = true;
      return this.enter('comment', 4);
    }
    if (head === '[CDATA[' && this.handlers.allowsCdata()) return this.enter('cdata', 9);
    const isOpen = '--'.startsWith(head) || (head.length < 7 && '[CDATA['.startsWith(head));
    return (this.isLast || !isOpen) && this.enter('bogusComment', 2);
  }

  private startTag(isEndTag: boolean, length: number): boolean {
    this.tag.start(isEndTag);
    return this.enter('tag', length);
  }

  private readTag(): boolean {
    const { tag, handlers } = this;
    this.at = tag.read(this.buffer, this.at);
    if (!tag.isComplete) return false;
    this.state = 'data';
    if (tag.isEndTag) {
      handlers.onEndTag(tag.name);
      return true;
    }
    const raw = handlers.onStartTag(tag.name, tag.attributes, tag.isSelfClosing);
    if (raw === null) return true;
    this.state = raw;
    this.scriptLevel = 0;
    if (raw !== 'plaintext' && this.rawName !== tag.name) {
      this.rawName = tag.name;
      this.rawEnd = new RegExp(`</${tag.name}[\\t\\n\\f\\r />]`, 'gi');
    }
    return true;
  }

  private readComment(): boolean {
    if (this.isCommentStart) {
      const head = this.buffer.slice(this.at, this.at + 2);
      if (head.startsWith('>')) return this.enter('data', 1);
      if (head === '->') return this.enter('data', 2);
      if (head === '-' && !this.isLast) return false;
      this.isCommentStart = false;
    }
    COMMENT_END.lastIndex = this.at;
    const end = COMMENT_END.exec(this.buffer);
    if (end) return this.enter('data', end.index + end[0].length - this.at);
    this.at = Math.max(this.at, this.buffer.length - 3);
    return false;
  }

  /** Skip a bogus comment, or pass on a CDATA section. */
  private skipTo(end: string, held: number): boolean {
    const isText = this.state === 'cdata';
    const index = this.buffer.indexOf(end, this.at);
    const to = index < 0 ? this.buffer.length - (this.isLast ? 0 : held) : index;
    if (to > this.at) {
      if (isText) this.emit(to, true);
      else this.at = to;
    }
    return index >= 0 && this.enter('data', end.length);
  }

  private readRawText(): boolean {
    const isLiteral = this.state === 'rawtext';
    this.rawEnd.lastIndex = this.at;
    const end = this.rawEnd.exec(this.buffer);
    if (!end) return this.hold(this.rawName.length + 2, isLiteral);
    this.emit(end.index, isLiteral);
    this.tag.start(true, this.rawName);
    return this.enter('tag', this.rawName.length + 2);
  }

  private readScript(): boolean {
    const pattern = SCRIPT[this.scriptLevel];
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.buffer);
    if (!found) return this.hold('</script'.length, true);
    const [mark] = found;
    if (mark === '<!--') {
      // Its dashes may be those of `-->`.
      this.scriptLevel = 1;
      return this.emit(found.index + 2, true);
    }
    if (mark === '-->') {
      this.scriptLevel = 0;
    } else if (mark[1] !== '/') {
      this.scriptLevel = 2;
    } else if (this.scriptLevel === 2) {
      this.scriptLevel = 1;
    } else {
      this.emit(found.index, true);
      this.tag.start(true, 'script');
      return this.enter('tag', '</script'.length);
    }
    return this.emit(found.index + mark.length, true);
  }

  /** Pass on all but the last characters, which may begin an end tag. */
  private hold(count: number, isLiteral: boolean): boolean {
    const to = this.buffer.length - (this.isLast ? 0 : count);
    if (to > this.at) this.emit(to, isLiteral);
    return false;
  }

  private emit(to: number, isLiteral: boolean): boolean {
    if (to > this.at) this.handlers.onText(this.buffer.slice(this.at, to), isLiteral);
    this.at = to;
    return true;
  }

  private enter(state: State, length: number): boolean {
    this.at += length;
    this.state = state;
    return true;
  }
}

function isLetter(char: string): boolean {
  return /[A-Za-z]/.test(char);
}
