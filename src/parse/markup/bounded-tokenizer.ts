/**
 * parse5's tokenizer with bounds. By itself it keeps an unfinished tag, comment or doctype whole, an
 * object for each attribute and a string for each character of a name: a page of 50 MB in one tag
 * takes 3 GB. Here what no link needs is let go of after each piece of text, so that memory is bounded
 * and time linear.
 *
 * It reaches for protected members, so package.json allows patch releases only; the compiler and the
 * tests of hostile pages tell if one of them changes.
 */

import { Token, Tokenizer, type TokenHandler } from 'parse5';
import { MAX_ATTRIBUTE_CHARS } from './attributes.js';

/** Names are told apart by so many characters: none of HTML comes near. */
export const MAX_NAME_CHARS = 64;
/** A character reference of more characters than any name has is a number. */
const MAX_REFERENCE_CHARS = 64;
/** Length that is held at once; parse5 lets go of text from here on. */
const PIECE_CHARS = 65_536;

/** Write pieces of text of any length in order, then end. */
export class BoundedTokenizer extends Tokenizer {
  private readonly wanted: ReadonlySet<string>;
  private isInReference = false;

  /** @param wanted lower-case names of the attributes to keep */
  constructor(wanted: ReadonlySet<string>, handler: TokenHandler) {
    // parse5 looks at each character for errors unless this is null.
    super({ sourceCodeLocationInfo: false }, { ...handler, onParseError: null });
    this.wanted = wanted;
  }

  /** Read on. */
  read(text: string): void {
    for (let at = 0; at < text.length; at += PIECE_CHARS) {
      this.write(text.slice(at, at + PIECE_CHARS), false);
      this.flushCurrentCharacterToken();
      this.release();
    }
  }

  /** Nothing more comes: an unfinished tag or comment is dropped. */
  end(): void {
    this.write('', true);
  }

  /** Called at the end of each attribute's name: only attributes asked for become part of the token. */
  protected override _leaveAttrName(): void {
    const token = this.currentToken as Token.TagToken;
    const { currentAttr } = this;
    if (!this.wanted.has(currentAttr.name)) return;
    if (token.attrs.every(({ name }) => name !== currentAttr.name)) token.attrs.push(currentAttr);
  }

  protected override _stateCharacterReference(): void {
    super._stateCharacterReference();
    this.isInReference = !this.active;
  }

  /** Let go of text that was read, and of what is too long in the token that it belongs to. */
  private release(): void {
    const { preprocessor, currentToken } = this;
    if (!preprocessor.willDropParsedChunk()) return;
    const pending = this.isInReference ? preprocessor.pos - this.entityStartPos : 0;
    const isNumber = pending > MAX_REFERENCE_CHARS;
    if (currentToken === null && !isNumber) return;
    this._flushRun('');
    if (currentToken !== null) this.shorten(currentToken);
    const dropped = preprocessor.droppedBufferSize;
    // What may turn out to be no reference is read again; a number never is.
    preprocessor.dropParsedChunk(isNumber ? 0 : pending);
    this.entityStartPos -= preprocessor.droppedBufferSize - dropped;
  }

  private shorten(token: Token.Token): void {
    const { currentAttr } = this;
    if (token.type === Token.TokenType.COMMENT) {
      token.data = '';
    } else if (token.type === Token.TokenType.DOCTYPE) {
      token.name &&= '';
      token.publicId &&= '';
      token.systemId &&= '';
    } else if ('tagName' in token) {
      token.tagName = token.tagName.slice(0, MAX_NAME_CHARS + 1);
      currentAttr.name = currentAttr.name.slice(0, MAX_NAME_CHARS + 1);
      currentAttr.value = currentAttr.value.slice(0, MAX_ATTRIBUTE_CHARS + 1);
    }
  }
}
