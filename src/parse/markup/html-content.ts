/**
 * Which open elements a tag of HTML closes.
 *
 * @see https://html.spec.whatwg.org/#parsing-main-inbody
 */

import { BLOCKS, CLOSES_P, FORMATTING, HEADINGS, TABLE_PARTS, VOID } from './element-kinds.js';
import { htmlElement, type ElementStack } from './element-stack.js';
import type { Attributes } from './attributes.js';

/** Never an element where they stand in a page's body. */
const IGNORED = new Set(['html', 'head', 'frame']);
const P = new Set(['p']);
const BUTTON = new Set(['button']);
const LISTS = new Set(['ol', 'ul']);
const LI = new Set(['li']);
const TERMS = new Set(['dd', 'dt']);
const SELECT = new Set(['select']);
/** Special elements through which an item of a list is closed. */
const PASSABLE = new Set(['address', 'div', 'p']);

/** Open an element for a start tag; returns its name, or null when the tag makes none. */
export function openHtml(stack: ElementStack, tag: string, attributes: Attributes): string | null {
  const name = tag === 'image' ? 'img' : tag;
  if (IGNORED.has(name)) return null;
  // Its attributes go to the body that there always is.
  if (name === 'body') return name;
  const places = TABLE_PARTS.get(name);
  if (places) {
    if (!stack.has('table') && !stack.has('template')) return null;
    const place = stack.inTableScope(places);
    if (place >= 0) stack.popTo(place + 1);
  } else if (!closeForStartTag(stack, name)) {
    return null;
  }
  if (!VOID.has(name)) {
    const isShadow =
      name === 'template' && /^(?:open|closed)$/i.test(attributes.get('shadowrootmode') ?? '');
    stack.push(htmlElement(name, name === 'template' && !isShadow));
  }
  return name;
}

/** @returns false when the tag makes no element */
function closeForStartTag(stack: ElementStack, name: string): boolean {
  if (name === 'li') closeItem(stack, LI);
  else if (name === 'dd' || name === 'dt') closeItem(stack, TERMS);
  if (CLOSES_P.has(name)) popIf(stack, stack.inScope(P, BUTTON));
  if (HEADINGS.has(name) && isCurrent(stack, HEADINGS)) stack.popTo(stack.depth - 1);
  else if (name === 'button') popIf(stack, stack.inScope(BUTTON));
  else if (name === 'a' || name === 'nobr') closeFormatting(stack, name);
  else if ((name === 'option' || name === 'optgroup') && stack.current?.name === 'option') {
    stack.popTo(stack.depth - 1);
  } else if (name === 'select') {
    const open = stack.inScope(SELECT);
    popIf(stack, open);
    return open < 0;
  }
  return true;
}

/** Close what an end tag closes: nothing, if it matches no start tag. */
export function closeForEndTag(stack: ElementStack, name: string): void {
  if (name === 'template') return popIf(stack, stack.innermost(name));
  if (name === 'p') return popIf(stack, stack.inScope(P, BUTTON));
  if (name === 'li') return popIf(stack, stack.inScope(LI, LISTS));
  if (HEADINGS.has(name)) return popIf(stack, stack.inScope(HEADINGS));
  const names = new Set([name]);
  if (name === 'table' || TABLE_PARTS.has(name)) return popIf(stack, stack.inTableScope(names));
  if (name === 'form') {
    const form = stack.inScope(names);
    if (form >= 0) stack.remove(form);
    return;
  }
  if (BLOCKS.has(name) || TERMS.has(name)) return popIf(stack, stack.inScope(names));
  if (FORMATTING.has(name)) return closeFormatting(stack, name);
  for (let i = stack.depth - 1; i >= 0; i--) {
    const element = stack.at(i);
    if (element?.space === 'html' && element.name === name) return stack.popTo(i);
    if (element?.isSpecial) return;
  }
}

/** An item of a list ends where the next one begins, unless other blocks are open in it. */
function closeItem(stack: ElementStack, names: ReadonlySet<string>): void {
  for (let i = stack.depth - 1; i >= 0; i--) {
    const element = stack.at(i);
    if (!element) return;
    if (element.space === 'html' && names.has(element.name)) return stack.popTo(i);
    if (element.isSpecial && !PASSABLE.has(element.name)) return;
  }
}

/** Times that the standard moves a formatting element into the next block. */
const MAX_MOVES = 8;

/**
 * Close a formatting element: with all in it, unless blocks are open in it, which stay. The element
 * moves into one block after the other, and is closed in the last of them with all that stands there.
 *
 * @see https://html.spec.whatwg.org/#adoption-agency-algorithm
 */
function closeFormatting(stack: ElementStack, name: string): void {
  const index = stack.inScope(new Set([name]));
  if (index < 0) return;
  let blocks = 0;
  let last = index;
  for (let i = index + 1; i < stack.depth; i++) {
    if (!stack.at(i)?.isSpecial) continue;
    blocks += 1;
    last = i;
  }
  if (blocks === 0) return stack.popTo(index);
  if (blocks < MAX_MOVES) stack.popTo(last + 1);
  stack.remove(index);
}

function isCurrent(stack: ElementStack, names: ReadonlySet<string>): boolean {
  const { current } = stack;
  return current?.space === 'html' && names.has(current.name);
}

function popIf(stack: ElementStack, index: number): void {
  if (index >= 0) stack.popTo(index);
}
