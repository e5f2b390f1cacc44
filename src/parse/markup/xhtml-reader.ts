/**
 * XHTML as XML: names in lower case only, any element may close itself, CDATA sections and no raw text.
 * Elements without any namespace count as XHTML: a crawler would rather follow a link too many.
 * Namespaces are those of `xmlns`; prefixed elements are not read.
 */

import type { Attributes } from './attributes.js';
import type { Namespace } from './element-kinds.js';
import type { PageHandlers } from './html-tree.js';
import { TagStream } from './tag-stream.js';
import { decodeXhtml, XhtmlText } from './xhtml-entities.js';

const NAMESPACES: ReadonlyMap<string, Namespace> = new Map([
  ['', 'html'],
  ['http://www.w3.org/1999/xhtml', 'html'],
  ['http://www.w3.org/2000/svg', 'svg'],
  ['http://www.w3.org/1998/Math/MathML', 'math'],
]);
/** Their content is text, whatever a broken page puts there. */
const TEXT_ONLY = new Set(['title', 'script', 'style', 'textarea']);
/** Namespaces declared in one another that are told apart. */
const MAX_DECLARATIONS = 256;

/** Reads a page; same calls as HtmlTree. */
export class XhtmlReader {
  private readonly stream: TagStream;
  private readonly handlers: PageHandlers;
  private readonly run = new XhtmlText((text) => this.text(text));
  private readonly spaces: { depth: number; space: Namespace | null }[] = [];
  private depth = 0;
  private links = 0;
  /** Text-only element that is open, and the depth of its content. */
  private textOnly: { name: string; depth: number } | null = null;

  /** @param attributes names of the attributes to keep */
  constructor(attributes: Iterable<string>, handlers: PageHandlers) {
    this.handlers = handlers;
    this.stream = new TagStream({
      xml: true,
      isVerbatim: true,
      attributes: [...attributes, 'xmlns'],
      onOpenTag: (name, values) => this.open(name, values),
      onCloseTag: (name) => this.close(name),
      onText: (text) => this.run.add(text),
      onCdata: (text) => {
        this.run.flush();
        this.text(text);
      },
    });
  }

  write(text: string): void {
    this.stream.write(text);
  }

  end(): void {
    this.stream.end();
    this.run.flush();
    this.handlers.onEnd();
  }

  private get space(): Namespace | null {
    const last = this.spaces[this.spaces.length - 1];
    return last ? last.space : 'html';
  }

  private open(name: string, attributes: Attributes): void {
    this.run.flush();
    this.depth++;
    const values = decoded(attributes);
    const declared = values.get('xmlns');
    if (declared !== undefined && this.spaces.length < MAX_DECLARATIONS) {
      this.spaces.push({ depth: this.depth, space: NAMESPACES.get(declared.trim()) ?? null });
    }
    const { space } = this;
    if (this.textOnly || space === null || name.includes(':')) return;
    // SVG has names in mixed case; they are compared as HTML stores them.
    this.handlers.onElement(space === 'html' ? name : name.toLowerCase(), space, values);
    if (space === 'html' && TEXT_ONLY.has(name)) this.textOnly = { name, depth: this.depth };
    if (name === 'a') this.links++;
  }

  private close(name: string): void {
    this.run.flush();
    this.handlers.onEndTag(name);
    const { textOnly } = this;
    if (textOnly?.name === name) this.textOnly = null;
    if (name === 'a' && !textOnly) this.links = Math.max(0, this.links - 1);
    const last = this.spaces[this.spaces.length - 1];
    if (last && last.depth >= this.depth) this.spaces.pop();
    this.depth = Math.max(0, this.depth - 1);
  }

  private text(text: string): void {
    this.handlers.onText(text, {
      name: this.textOnly?.name ?? '',
      space: this.space ?? 'html',
      isLinked: this.links > 0,
    });
  }
}

function decoded(attributes: Attributes): Attributes {
  return new Map(Array.from(attributes, ([name, raw]) => [name, decodeXhtml(raw)]));
}
