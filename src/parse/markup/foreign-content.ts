/**
 * Where SVG and MathML begin and end.
 *
 * @see https://html.spec.whatwg.org/#parsing-main-inforeign
 */

import { BREAKOUT } from './element-kinds.js';
import type { ElementStack, OpenElement } from './element-stack.js';
import type { Attributes } from './attributes.js';

/** Does a start tag in `current` make an element of SVG or MathML, unless it breaks out? */
export function startsForeign(
  current: OpenElement | undefined,
  name: string,
): current is OpenElement {
  if (current === undefined || current.space === 'html') return false;
  if (current.integration === 'html') return false;
  if (current.integration === 'text') return name === 'mglyph' || name === 'malignmark';
  return !(current.space === 'math' && current.name === 'annotation-xml' && name === 'svg');
}

/** Is this a start tag that ends all SVG and MathML that it stands in? */
export function breaksOutOfForeign(name: string, attributes: Attributes): boolean {
  if (name !== 'font') return BREAKOUT.has(name);
  return attributes.has('color') || attributes.has('face') || attributes.has('size');
}

/** Close elements until HTML may go on. */
export function endForeign(stack: ElementStack): void {
  for (;;) {
    const { current } = stack;
    if (!current || current.space === 'html' || current.integration !== null) return;
    stack.popTo(stack.depth - 1);
  }
}
