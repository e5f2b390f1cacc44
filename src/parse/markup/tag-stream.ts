/**
 * Tags and text of XML as a stream, over htmlparser2's tokenizer. Its Parser is not used: it keeps a
 * stack of open elements that it searches and shifts on each tag, so that deep nesting takes quadratic
 * time. Here a document of any shape takes linear time and keeps no tree. HTML is read by HtmlTree.
 */

import { Tokenizer } from 'htmlparser2';
import { MAX_ATTRIBUTE_CHARS, type Attributes } from './attributes.js';

/** What to tell of a document. Names keep their prefix. */
export interface TagStreamOptions {
  /** XML is all that it reads. */
  readonly xml: true;
  /** Names in their own case and entities left as they stand. Default false: names lower-case. */
  readonly isVerbatim?: boolean;
  /** Names of the attributes to keep. */
  readonly attributes: readonly string[];
  onOpenTag?(name: string, attributes: Attributes): void;
  onCloseTag?(name: string): void;
  /** Text in pieces, entities decoded (the five predefined and numeric ones). */
  onText?(text: string): void;
  /** Text of CDATA sections; without this it goes to onText. */
  onCdata?(text: string): void;
  /** `<!DOCTYPE …` and its like, without the angle brackets. */
  onDeclaration?(text: string): void;
}

/** Write chunks of decoded text in order, then end. */
export class TagStream {
  private readonly tokenizer: Tokenizer;
  /** Chunks that an unfinished token may still need, and the position of the first of them. */
  private readonly chunks: string[] = [];
  private chunkStart = 0;
  private isEnding = false;

  constructor(options: TagStreamOptions) {
    const isVerbatim = options.isVerbatim ?? false;
    const wanted = new Set(options.attributes);
    let tag = '';
    let attributes = new Map<string, string>();
    let attribute: string | null = null;
    let value: string | null = '';
    const append = (text: string) => {
      if (value === null || attribute === null) return;
      value = value.length + text.length > MAX_ATTRIBUTE_CHARS ? null : value + text;
    };
    const slice = (start: number, end: number) => this.slice(start, end);
    const nameOf = (start: number, end: number) =>
      isVerbatim ? slice(start, end) : slice(start, end).toLowerCase();
    this.tokenizer = new Tokenizer(
      { xmlMode: true, decodeEntities: !isVerbatim },
      {
        onopentagname(start, end) {
          tag = nameOf(start, end);
          attributes = new Map();
        },
        onattribname(start, end) {
          const name = nameOf(start, end);
          attribute = wanted.has(name) && !attributes.has(name) ? name : null;
          value = '';
        },
        onattribdata: (start, end) => append(attribute === null ? '' : slice(start, end)),
        onattribentity: (codePoint) => append(String.fromCodePoint(codePoint)),
        onattribend() {
          if (attribute !== null && value !== null) attributes.set(attribute, value);
          attribute = null;
        },
        onopentagend: () => options.onOpenTag?.(tag, attributes),
        onselfclosingtag() {
          options.onOpenTag?.(tag, attributes);
          options.onCloseTag?.(tag);
        },
        onclosetag: (start, end) => options.onCloseTag?.(nameOf(start, end)),
        ontext: (start, end) => {
          // What is left at the end is an unfinished instruction or declaration, maybe of megabytes.
          if (!this.isEnding) options.onText?.(slice(start, end));
        },
        ontextentity: (codePoint) => options.onText?.(String.fromCodePoint(codePoint)),
        oncdata(start, end, endOffset) {
          const text = slice(start, end - endOffset);
          if (options.onCdata) options.onCdata(text);
          else options.onText?.(text);
        },
        ondeclaration: (start, end) => options.onDeclaration?.(slice(start, end)),
        oncomment: () => {},
        onprocessinginstruction: () => {},
        onend: () => {},
      },
    );
  }

  write(chunk: string): void {
    if (chunk === '') return;
    // XML has no NUL: a replacement character stands for it.
    const text = chunk.replaceAll('\0', '\ufffd');
    this.chunks.push(text);
    this.tokenizer.write(text);
  }

  /** Nothing more comes: an unfinished tag is dropped. */
  end(): void {
    this.isEnding = true;
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
