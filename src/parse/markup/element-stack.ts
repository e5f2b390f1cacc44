/**
 * The stack of open elements, without a tree. Bounded in depth, and with it every search: of what is
 * deeper the outermost elements are forgotten, so that the innermost, which decide how the next tag is
 * read, are always right.
 *
 * @see https://html.spec.whatwg.org/#the-stack-of-open-elements
 */

import {
  MATH_INTEGRATION,
  SCOPES,
  SPECIAL,
  SVG_INTEGRATION,
  type Namespace,
} from './element-kinds.js';

/** Browsers limit the depth of their trees to the same order. */
export const MAX_OPEN_ELEMENTS = 512;

/** What is known of an open element. */
export interface OpenElement {
  readonly name: string;
  readonly space: Namespace;
  readonly isSpecial: boolean;
  /** Bounds "in scope". */
  readonly isScope: boolean;
  /** Content is HTML: `html` wholly, `text` besides two MathML elements. */
  readonly integration: 'html' | 'text' | null;
  /** A template whose content is no part of the page. */
  readonly isInert: boolean;
}

const HTML_ELEMENTS = new Map<string, OpenElement>();

/** @param isInert of a template that declares no shadow tree */
export function htmlElement(name: string, isInert = false): OpenElement {
  const known = isInert ? undefined : HTML_ELEMENTS.get(name);
  if (known) return known;
  const isSpecial = SPECIAL.has(name);
  const isScope = SCOPES.has(name);
  const element = { name, space: 'html', isSpecial, isScope, integration: null, isInert } as const;
  // Names of no meaning are not kept: a hostile page has no end of them.
  if (isSpecial && !isInert) HTML_ELEMENTS.set(name, element);
  return element;
}

/** @param isHtmlAnnotation for an annotation-xml whose encoding is HTML */
export function foreignElement(
  name: string,
  space: Exclude<Namespace, 'html'>,
  isHtmlAnnotation: boolean,
): OpenElement {
  const isText = space === 'math' && MATH_INTEGRATION.has(name);
  const isHtml = space === 'svg' ? SVG_INTEGRATION.has(name) : isHtmlAnnotation;
  const isSpecial = isText || isHtml || (space === 'math' && name === 'annotation-xml');
  const integration = isHtml ? 'html' : isText ? 'text' : null;
  return { name, space, isSpecial, isScope: isSpecial, integration, isInert: false };
}

/** Innermost element last. Indices are positions in it; -1 is none. */
export class ElementStack {
  private readonly open: OpenElement[] = [];
  /** Open HTML elements by name: most searches end here. */
  private readonly counts = new Map<string, number>();
  private inert = 0;

  get current(): OpenElement | undefined {
    return this.open[this.open.length - 1];
  }

  /** Within a template whose content is no part of the page? */
  get isInert(): boolean {
    return this.inert > 0;
  }

  get depth(): number {
    return this.open.length;
  }

  at(index: number): OpenElement | undefined {
    return this.open[index];
  }

  /** Is an HTML element of this name open? */
  has(name: string): boolean {
    return (this.counts.get(name) ?? 0) > 0;
  }

  push(element: OpenElement): void {
    if (this.open.length >= MAX_OPEN_ELEMENTS) {
      // A template stays: its content is no part of the page until it ends.
      const outermost = this.open.findIndex((e) => !isHtml(e) || e.name !== 'template');
      if (outermost < 0) return;
      this.remove(outermost);
    }
    this.open.push(element);
    this.count(element, 1);
  }

  /** Close the element at `index` and all in it. */
  popTo(index: number): void {
    while (this.open.length > Math.max(0, index)) {
      const element = this.open.pop();
      if (element) this.count(element, -1);
    }
  }

  /** Close one element, not those in it. */
  remove(index: number): void {
    const [element] = this.open.splice(index, 1);
    if (element) this.count(element, -1);
  }

  /** The innermost HTML element of these names that is "in scope", or within `boundary` besides. */
  inScope(names: ReadonlySet<string>, boundary?: ReadonlySet<string>): number {
    return this.find(names, (e) => e.isScope || (isHtml(e) && (boundary?.has(e.name) ?? false)));
  }

  /** The innermost HTML element of these names "in table scope". */
  inTableScope(names: ReadonlySet<string>): number {
    return this.find(names, (e) => isHtml(e) && (e.name === 'table' || e.name === 'template'));
  }

  /** The innermost HTML element of this name, whatever is in it. */
  innermost(name: string): number {
    return this.find(new Set([name]), () => false);
  }

  private find(names: ReadonlySet<string>, isBoundary: (element: OpenElement) => boolean): number {
    let isOpen = false;
    for (const name of names) isOpen ||= this.has(name);
    if (!isOpen) return -1;
    for (let i = this.open.length - 1; i >= 0; i--) {
      const element = this.open[i];
      if (!element) break;
      if (isHtml(element) && names.has(element.name)) return i;
      if (isBoundary(element)) break;
    }
    return -1;
  }

  private count(element: OpenElement, by: 1 | -1): void {
    if (element.isInert) this.inert += by;
    if (!isHtml(element)) return;
    const count = (this.counts.get(element.name) ?? 0) + by;
    if (count > 0) this.counts.set(element.name, count);
    else this.counts.delete(element.name);
  }
}

function isHtml(element: OpenElement): boolean {
  return element.space === 'html';
}
