import { describe, expect, it } from 'vitest';
import { MAX_ATTRIBUTE_CHARS, type Attributes } from '../../../../src/parse/markup/attributes.js';
import {
  ElementStack,
  htmlElement,
  MAX_OPEN_ELEMENTS,
} from '../../../../src/parse/markup/element-stack.js';
import { HtmlTokenizer } from '../../../../src/parse/markup/html-tokenizer.js';
import { LinkBag } from '../../../../src/parse/links/link-bag.js';
import { parseHtml } from '../../../../src/parse/page/html.js';

const scope = { id: 0, base: null, parent: null };
const link = (href: string) =>
  ({ href, kind: 'a', nofollow: false, isCanonical: false, scope }) as const;

/** A tokenizer that keeps href and rel, and what it told. */
function reader() {
  const tags: unknown[] = [];
  const texts: string[] = [];
  const tokenizer = new HtmlTokenizer(new Set(['href', 'rel']), {
    onStartTag(name: string, attributes: Attributes) {
      tags.push([name, ...attributes]);
      return name === 'script' ? name : null;
    },
    onEndTag() {},
    onText: (text) => texts.push(text),
    onNuls() {},
    allowsCdata: () => false,
  });
  return { tokenizer, tags, texts };
}

describe('bounds of a page', () => {
  it('keeps the innermost elements of a deep page, and its templates', () => {
    const stack = new ElementStack();
    stack.push(htmlElement('template', true));
    for (let i = 0; i < 50_000; i++) stack.push(htmlElement(`x${i}`));
    expect(stack.depth).toBe(MAX_OPEN_ELEMENTS);
    expect(stack.current?.name).toBe('x49999');
    expect(stack.isInert).toBe(true);
    stack.popTo(stack.innermost('template'));
    expect([stack.depth, stack.isInert, stack.has('x49999')]).toEqual([0, false, false]);
  });

  it('keeps of a tag only the attributes asked for, and none that is too long', () => {
    const { tokenizer, tags } = reader();
    tokenizer.write('<a ');
    for (let i = 0; i < 100_000; i++) tokenizer.write(`x${i}=y `);
    tokenizer.write('rel="');
    for (let i = 0; i <= MAX_ATTRIBUTE_CHARS / 1000; i++) tokenizer.write('x'.repeat(1000));
    tokenizer.write('" rel=next href=1 href=2>');
    tokenizer.end();
    expect(tags).toEqual([['a', ['href', '1']]]);
  });

  it.each([
    ['a tag name', '<', 'x', 8, '>'],
    ['an attribute name', '<p ', 'x', 16, '>'],
    ['attributes', '<p ', 'x y=z ', 8, '>'],
    ['a doctype', '<!doctype ', 'x', 8, '>'],
    ['an attribute value', '<p href="', '&amp;😀', 24, '">'],
    ['a comment', '<!--', '--!\r\n', 24, '-->'],
    ['a character reference', '&#', '0', 24, '65;'],
    ['a script', '<script>', '<!-- </scrip', 24, '--></script>'],
  ])(
    'reads %s of many megabytes in little memory',
    (_what, head, unit, megabytes, end) => {
      const { tokenizer, tags, texts } = reader();
      const piece = unit.repeat(Math.ceil(65_536 / unit.length));
      const before = process.memoryUsage().heapUsed;
      let most = 0;
      tokenizer.write(head);
      for (let i = 0; i < megabytes * 16; i++) {
        tokenizer.write(piece);
        texts.length = 0;
        most = Math.max(most, process.memoryUsage().heapUsed - before);
      }
      tokenizer.write(`${end}<a href=/last>`);
      tokenizer.end();
      expect(tags.at(-1)).toEqual(['a', ['href', '/last']]);
      expect(most).toBeLessThan(100 * 1024 * 1024);
    },
    60_000,
  );

  it('reads what stands where it lets go of text as it reads anything else', () => {
    for (let length = 65_520; length < 65_560; length++) {
      const pad = 'x'.repeat(length);
      const { tokenizer, tags, texts } = reader();
      const html =
        `<a href="${pad}&amp;&copy=1&notin;\r\n&#x00041;😀\0" rel=1><!--${pad}--!><${pad} rel=2>` +
        `<b ${pad}&amp;=1 rel=3>&am${pad};&notit;&#${'0'.repeat(length)}65;\r\n</b>`;
      for (let at = 0; at < html.length; at += 9_973) tokenizer.write(html.slice(at, at + 9_973));
      tokenizer.end();
      expect(tags).toEqual([
        ['a', ['href', `${pad}&&copy=1∉\nA😀\ufffd`], ['rel', '1']],
        ['x'.repeat(65), ['rel', '2']],
        ['b', ['rel', '3']],
      ]);
      expect(texts.join('')).toBe(`&am${pad};¬it;A\n`);
    }
  });

  it('counts the links that are left out', () => {
    const bag = new LinkBag(3);
    for (let i = 0; i < 100; i++) bag.add(link(`/${i % 50}`));
    expect([...bag.all]).toHaveLength(3);
    // Those that were taken come again once.
    expect(bag.dropped).toBe(100 - 3 - 3);
  });

  it('reads 50 MB of nothing in little memory', async () => {
    const body = Buffer.alloc(50 * 1024 * 1024, ' ');
    body.write('<a href=/last>', body.length - 20);
    const before = process.memoryUsage().heapUsed;
    const page = await parseHtml(body, {
      url: 'http://h.example/',
      contentType: 'text/html; charset=utf-8',
      robotsAgent: 'testbot',
    });
    expect(page.links.map(({ url }) => url)).toEqual(['http://h.example/last']);
    expect(page.truncated).toBe(false);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 1024 * 1024);
  });

  it('takes 100,000 links, and past a bound says how many it left out', async () => {
    const html = Array.from({ length: 100_000 }, (_, i) => `<a href=/${i}>`).join('');
    const input = {
      url: 'http://h.example/',
      contentType: 'text/html; charset=utf-8',
      robotsAgent: 'testbot',
    };
    const page = await parseHtml(Buffer.from(html), input);
    expect(page.links).toHaveLength(100_000);
    expect(page).toMatchObject({ truncated: false, dropped: 0 });
    const bounded = await parseHtml(Buffer.from(html), { ...input, maxLinks: 40_000 });
    expect(bounded.links).toHaveLength(40_000);
    expect(bounded).toMatchObject({ truncated: true, dropped: 60_000 });
  });
});
