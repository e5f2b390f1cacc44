/**
 * Tags and text of HTML or XML as a stream, over htmlparser2's tokenizer. Its Parser is not used: it
 * keeps a stack of open elements that it searches and shifts on each tag, so that deep nesting takes
 * quadratic time. Here a document of any shape takes linear time and keeps no tree.
 */

import { Tokenizer } from 'htmlparser2';
import { createForeignContext } from './foreign-context.js';

/** Longest attribute value that is kept, in characters; a longer one counts as absent, never cut. */
export const MAX_ATTRIBUTE_CHARS = 65_536;

/** Attributes of a tag that were asked for; of two with one name the first counts. */
export type Attributes = ReadonlyMap<string, string>;

/** What to tell of a document. Names are lower-case; in XML they keep their prefix. */
export interface TagStreamOptions {
  readonly xml?: boolean;
  /** Names of the attributes to keep, lower-case. */
  readonly attributes: readonly string[];
  onOpenTag?(name: string, attributes: Attributes): void;
  onCloseTag?(name: string): void;
  /** Text in pieces, entities decoded (in XML only the five predefined and numeric ones). */
  onText?(text: string): void;
  /** `<!DOCTYPE …` and its like, without the angle brackets. */
  onDeclaration?(text: string): void;
}

/** Write chunks of decoded text in order, then end. */
export class TagStream {
  private readonly tokenizer: Tokenizer;
  /** Chunks that an unfinished token may still need, and the position of the first of them. */
  private readonly chunks: string[] = [];
  private chunkStart = 0;

  constructor(options: TagStreamOptions) {
    const isXml = options.xml ?? false;
    const wanted = new Set(options.attributes);
    const foreign = createForeignContext();
    let tag = '';
    let attributes = new Map<string, string>();
    let attribute: string | null = null;
    let value: string | null = '';
    const append = (text: string) => {
      if (value === null || attribute === null) return;
      value = value.length + text.length > MAX_ATTRIBUTE_CHARS ? null : value + text;
    };
    const slice = (start: number, end: number) => this.slice(start, end);
    const openTag = (isSelfClosing: boolean) => {
      const closes = isSelfClosing && (isXml || foreign.isForeign());
      options.onOpenTag?.(tag, attributes);
      if (closes) closeTag(tag);
    };
    const closeTag = (name: string) => {
      if (!isXml) foreign.close(name);
      options.onCloseTag?.(name);
    };
    this.tokenizer = new Tokenizer(
      { xmlMode: isXml, decodeEntities: true },
      {
        onopentagname(start, end) {
          tag = slice(start, end).toLowerCase();
          attributes = new Map();
          if (!isXml) foreign.open(tag);
        },
        onattribname(start, end) {
          const name = slice(start, end).toLowerCase();
          attribute = wanted.has(name) && !attributes.has(name) ? name : null;
          value = '';
        },
        onattribdata: (start, end) => append(attribute === null ? '' : slice(start, end)),
        onattribentity: (codePoint) => append(String.fromCodePoint(codePoint)),
        onattribend() {
          if (attribute !== null && value !== null) attributes.set(attribute, value);
          attribute = null;
        },
        onopentagend: () => openTag(false),
        onselfclosingtag: () => openTag(true),
        onclosetag: (start, end) => closeTag(slice(start, end).toLowerCase()),
        ontext: (start, end) => options.onText?.(slice(start, end)),
        ontextentity: (codePoint) => options.onText?.(String.fromCodePoint(codePoint)),
        oncdata(start, end, endOffset) {
          if (isXml || foreign.isForeign()) options.onText?.(slice(start, end - endOffset));
        },
        ondeclaration: (start, end) => options.onDeclaration?.(slice(start, end)),
        oncomment: () => {},
        onprocessinginstruction: () => {},
        onend: () => {},
        isInForeignContext: () => foreign.isForeign(),
      },
    );
  }

  write(chunk: string): void {
    if (chunk === '') return;
    // HTML has no NUL: browsers read a replacement character.
    const text = chunk.replaceAll('\0', '\ufffd');
    this.chunks.push(text);
    this.tokenizer.write(text);
  }

  /** Nothing more comes: an unfinished tag is dropped, as browsers do. */
  end(): void {
    this.tokenizer.end();
  }

  /** Text between two positions; tokens come in order, so what lies before `start` is let go. */
  private slice(start: number, end: number): string {
    let first = this.chunks[0] ?? '';
    while (this.chunks.length > 1 && start - this.chunkStart >= first.length) {
      this.chunkStart += first.length;
      this.chunks.shift();
      first = this.chunks[0] ?? '';
    }
    if (end - this.chunkStart <= first.length) {
      return first.slice(start - this.chunkStart, end - this.chunkStart);
    }
    return this.chunks.join('').slice(start - this.chunkStart, end - this.chunkStart);
  }
}
