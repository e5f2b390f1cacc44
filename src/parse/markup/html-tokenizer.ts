/**
 * Tokens of HTML as the standard reads them, from text in pieces of any length: the result does not
 * depend on where the pieces are cut. Character references are undone.
 *
 * @see https://html.spec.whatwg.org/#tokenization
 */

import { TokenizerMode, type Token } from 'parse5';
import { MAX_ATTRIBUTE_CHARS, type Attributes } from './attributes.js';
import { BoundedTokenizer, MAX_NAME_CHARS } from './bounded-tokenizer.js';

/** How the content of an element is read, if not as markup. */
export type RawContent = 'rcdata' | 'rawtext' | 'script' | 'plaintext';

/** Whom to tell. Names are lower-case. */
export interface TokenHandlers {
  /** @returns how what follows is read: null for markup */
  onStartTag(name: string, attributes: Attributes, isSelfClosing: boolean): RawContent | null;
  onEndTag(name: string): void;
  /** Text in pieces. */
  onText(text: string): void;
  /** NULs in markup: what they mean depends on where they stand. */
  onNuls(count: number): void;
  /** Is `<![CDATA[` a section here (in SVG and MathML), or a comment? */
  allowsCdata(): boolean;
}

const MODES = {
  rcdata: TokenizerMode.RCDATA,
  rawtext: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
  plaintext: TokenizerMode.PLAINTEXT,
};
const NO_ATTRIBUTES: Attributes = new Map();

/** Write pieces of text in order, then end. */
export class HtmlTokenizer {
  private readonly handlers: TokenHandlers;
  private readonly tokenizer: BoundedTokenizer;
  /** parse5 tells of words and spaces one by one. */
  private text = '';

  /** @param attributes lower-case names of the attributes to keep */
  constructor(attributes: ReadonlySet<string>, handlers: TokenHandlers) {
    this.handlers = handlers;
    const addText = ({ chars }: Token.CharacterToken) => {
      this.text += chars;
    };
    this.tokenizer = new BoundedTokenizer(attributes, {
      onStartTag: (token) => this.startTag(token),
      onEndTag: (token) => this.endTag(token),
      onCharacter: addText,
      onWhitespaceCharacter: addText,
      onNullCharacter: ({ chars }) => {
        this.textEnds();
        handlers.onNuls(chars.length);
      },
      onComment() {},
      onDoctype() {},
      onEof() {},
    });
  }

  write(text: string): void {
    this.tokenizer.read(text);
    this.textEnds();
  }

  /** Nothing more comes: an unfinished tag or comment is dropped, as browsers do. */
  end(): void {
    this.tokenizer.end();
    this.textEnds();
  }

  private startTag({ tagName, attrs, selfClosing }: Token.TagToken): void {
    this.textEnds();
    const { handlers, tokenizer } = this;
    const raw = handlers.onStartTag(nameOf(tagName), valuesOf(attrs), selfClosing);
    if (raw !== null) tokenizer.state = MODES[raw];
    tokenizer.inForeignNode = handlers.allowsCdata();
  }

  private endTag({ tagName }: Token.TagToken): void {
    this.textEnds();
    this.handlers.onEndTag(nameOf(tagName));
    this.tokenizer.inForeignNode = this.handlers.allowsCdata();
  }

  private textEnds(): void {
    const { text } = this;
    if (text === '') return;
    this.text = '';
    this.handlers.onText(text);
  }
}

/** One character past the limit is kept, so that a name that was cut is no known name. */
function nameOf(tagName: string): string {
  return tagName.length > MAX_NAME_CHARS ? tagName.slice(0, MAX_NAME_CHARS + 1) : tagName;
}

function valuesOf(attrs: readonly Token.Attribute[]): Attributes {
  if (attrs.length === 0) return NO_ATTRIBUTES;
  const values = new Map<string, string>();
  for (const { name, value } of attrs) {
    if (value.length <= MAX_ATTRIBUTE_CHARS) values.set(name, value);
  }
  return values;
}
