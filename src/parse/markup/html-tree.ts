/**
 * Tree construction without a tree: which elements a page has, in which namespace, and which tags are
 * none. It decides what a tokenizer alone can't know: whether `<title>` or `<script>` holds text or
 * markup (in SVG it is markup), where SVG ends, what lies in a template, and what a frameset leaves out.
 *
 * Left out, because no link depends on it: the order of nodes (foster parenting, adoption) and
 * formatting elements that browsers open again. A `<select>` holds any content, as the standard has it
 * since 2025.
 *
 * @see https://html.spec.whatwg.org/#tree-construction
 */

import { SETTLES_BODY, type Namespace } from './element-kinds.js';
import { ElementStack, foreignElement, type OpenElement } from './element-stack.js';
import { breaksOutOfForeign, endForeign, startsForeign } from './foreign-content.js';
import { closeForEndTag, openHtml } from './html-content.js';
import { HtmlTokenizer, type RawContent } from './html-tokenizer.js';
import type { Attributes } from './attributes.js';

/** Whom to tell of a page's elements. What lies in an inert template is left out. */
export interface PageHandlers {
  /** Names of HTML elements are lower-case, those of SVG and MathML too. */
  onElement(name: string, space: Namespace, attributes: Attributes): void;
  /** An end tag, stray ones too. */
  onEndTag(name: string): void;
  /** Nothing more comes. */
  onEnd(): void;
  /** Text in pieces, entities undone; `within` is the element it stands in. */
  onText(text: string, within: PageElement): void;
}

/** Where a text stands. */
export interface PageElement {
  readonly name: string;
  readonly space: Namespace;
  /** Within an `<a>`. */
  readonly isLinked: boolean;
}

const RAW_CONTENT: ReadonlyMap<string, RawContent> = new Map([
  ['title', 'rcdata'],
  ['textarea', 'rcdata'],
  ['style', 'rawtext'],
  ['xmp', 'rawtext'],
  ['iframe', 'rawtext'],
  ['noembed', 'rawtext'],
  ['noframes', 'rawtext'],
  ['script', 'script'],
  ['plaintext', 'plaintext'],
]);

/** Elements that the head may hold, and those that a noscript in it may. */
const HEAD = wordSet(
  'base basefont bgsound head html link meta noframes noscript script style template title',
);
const HEAD_NOSCRIPT = wordSet('basefont bgsound head html link meta noframes noscript style');

/** Attributes that the rules look at, besides those asked for. */
const OWN_ATTRIBUTES = ['encoding', 'type', 'color', 'face', 'size', 'shadowrootmode'];

/** Reads a page; scripting counts as off, so that `<noscript>` holds markup. */
export class HtmlTree {
  private readonly tokenizer: HtmlTokenizer;
  private readonly handlers: PageHandlers;
  private readonly stack = new ElementStack();
  private isInHead = true;
  private isFormOpen = false;
  /** `no`: a frameset can still replace the body; `yes`: within one; `after`: behind it. */
  private frameset: 'no' | 'never' | 'yes' | 'after' = 'no';

  /** @param attributes lower-case names of the attributes to keep */
  constructor(attributes: Iterable<string>, handlers: PageHandlers) {
    this.handlers = handlers;
    this.tokenizer = new HtmlTokenizer(new Set([...attributes, ...OWN_ATTRIBUTES]), {
      onStartTag: (name, values, isSelfClosing) => this.startTag(name, values, isSelfClosing),
      onEndTag: (name) => this.endTag(name),
      onText: (text) => this.text(text, true),
      onNuls: (count) => this.nuls(count),
      allowsCdata: () => isForeign(this.stack.current),
    });
  }

  write(text: string): void {
    this.tokenizer.write(text);
  }

  end(): void {
    this.tokenizer.end();
    this.handlers.onEnd();
  }

  private startTag(
    name: string,
    attributes: Attributes,
    isSelfClosing: boolean,
  ): RawContent | null {
    if (this.frameset === 'yes' || this.frameset === 'after') {
      return this.startInFrameset(name, attributes);
    }
    const { stack } = this;
    if (!HEAD_NOSCRIPT.has(name)) this.leaveHead(HEAD.has(name));
    if (startsForeign(stack.current, name)) {
      if (!breaksOutOfForeign(name, attributes)) {
        return this.openForeign(name, stack.current.space, attributes, isSelfClosing);
      }
      endForeign(stack);
    }
    if (name === 'svg' || name === 'math') {
      return this.openForeign(name, name, attributes, isSelfClosing);
    }
    if (name === 'frameset') {
      if (this.frameset === 'no' && !stack.has('template')) {
        stack.popTo(0);
        stack.push({ ...FRAMESET });
        this.frameset = 'yes';
      }
      return null;
    }
    if (name === 'form') {
      if (this.isFormOpen && !stack.has('template')) return null;
      this.isFormOpen ||= !stack.has('template');
    }
    const element = openHtml(stack, name, attributes);
    if (element === null) return null;
    const isHidden = name === 'input' && attributes.get('type')?.toLowerCase() === 'hidden';
    if (SETTLES_BODY.has(element) || (name === 'input' && !isHidden)) this.settleBody();
    this.tell(element, 'html', attributes);
    return RAW_CONTENT.get(name) ?? null;
  }

  /** What has no place in the head ends it, and first of all a noscript in it. */
  private leaveHead(isInHead: boolean): void {
    if (!this.isInHead || this.stack.has('template')) return;
    this.stack.popTo(0);
    this.isInHead = isInHead;
  }

  private startInFrameset(name: string, attributes: Attributes): RawContent | null {
    if (name === 'noframes') {
      this.tell(name, 'html', attributes);
      return 'rawtext';
    }
    if (this.frameset === 'after') return null;
    if (name === 'frameset') this.stack.push({ ...FRAMESET });
    else if (name === 'frame') this.tell(name, 'html', attributes);
    return null;
  }

  private openForeign(
    name: string,
    space: Namespace,
    attributes: Attributes,
    isSelfClosing: boolean,
  ): null {
    this.tell(name, space, attributes);
    if (isSelfClosing || space === 'html') return null;
    const isHtmlAnnotation =
      name === 'annotation-xml' &&
      /^(?:text\/html|application\/xhtml\+xml)$/i.test(attributes.get('encoding') ?? '');
    this.stack.push(foreignElement(name, space, isHtmlAnnotation));
    return null;
  }

  private tell(name: string, space: Namespace, attributes: Attributes): void {
    if (!this.stack.isInert) this.handlers.onElement(name, space, attributes);
  }

  private endTag(name: string): void {
    const { stack } = this;
    if (!stack.isInert) this.handlers.onEndTag(name);
    if (this.frameset === 'yes' || this.frameset === 'after') {
      if (name === 'frameset' && this.frameset === 'yes') {
        stack.popTo(stack.depth - 1);
        if (stack.depth === 0) this.frameset = 'after';
      }
      return;
    }
    if (name === 'br' || (stack.depth === 0 && ENDS_HEAD.has(name))) this.leaveHead(false);
    if (isForeign(stack.current)) {
      if (name === 'p' || name === 'br') {
        endForeign(stack);
      } else {
        for (let i = stack.depth - 1; isForeign(stack.at(i)); i--) {
          if (stack.at(i)?.name === name) return stack.popTo(i);
        }
      }
    }
    if (name === 'form') this.isFormOpen &&= stack.has('template');
    if (name === 'br') this.settleBody();
    closeForEndTag(stack, name);
  }

  /** HTML has none, in SVG and MathML replacement characters stand for them. */
  private nuls(count: number): void {
    if (!RAW_CONTENT.has(this.stack.current?.name ?? '')) this.leaveHead(false);
    const { current } = this.stack;
    if (isForeign(current) && current?.integration === null) {
      this.text('\ufffd'.repeat(count), false);
    }
  }

  private text(text: string, settles: boolean): void {
    if (this.frameset === 'yes' || this.frameset === 'after' || this.stack.isInert) return;
    if (settles && this.frameset === 'no' && !RAW_CONTENT.has(this.stack.current?.name ?? '')) {
      if (/[^\t\n\f\r ]/.test(text)) {
        this.leaveHead(false);
        this.settleBody();
      }
    }
    const { current } = this.stack;
    this.handlers.onText(text, {
      name: current?.name ?? '',
      space: current?.space ?? 'html',
      isLinked: this.stack.has('a'),
    });
  }

  private settleBody(): void {
    if (this.frameset === 'no') this.frameset = 'never';
  }
}

const ENDS_HEAD = wordSet('head body html');
const FRAMESET: OpenElement = {
  name: 'frameset',
  space: 'html',
  isSpecial: true,
  isScope: false,
  integration: null,
  isInert: false,
};

function isForeign(element: OpenElement | undefined): boolean {
  return element !== undefined && element.space !== 'html';
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
