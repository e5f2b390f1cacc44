import { describe, expect, it } from 'vitest';
import { ElementStack, htmlElement, MAX_OPEN_ELEMENTS } from '../../../src/parse/element-stack.js';
import { LinkBag } from '../../../src/parse/link-bag.js';
import { parseHtml } from '../../../src/parse/html.js';
import { MAX_ATTRIBUTE_CHARS, TagReader } from '../../../src/parse/tag-reader.js';

const scope = { id: 0, base: null, parent: null };
const link = (href: string) =>
  ({ href, kind: 'a', nofollow: false, isCanonical: false, scope }) as const;

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
    const tag = new TagReader(new Set(['href', 'rel']));
    tag.start(false);
    tag.read('a ', 0);
    for (let i = 0; i < 100_000; i++) tag.read(`x${i}=y `, 0);
    tag.read('rel="', 0);
    for (let i = 0; i <= MAX_ATTRIBUTE_CHARS / 1000; i++) tag.read('x'.repeat(1000), 0);
    tag.read('" rel=next href=1 href=2>', 0);
    expect([...tag.attributes]).toEqual([
      ['rel', null],
      ['href', '1'],
    ]);
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

  it('takes 100,000 links up to its bound and says how many it left out', async () => {
    const html = Array.from({ length: 100_000 }, (_, i) => `<a href=/${i}>`).join('');
    const page = await parseHtml(Buffer.from(html), {
      url: 'http://h.example/',
      contentType: 'text/html; charset=utf-8',
      robotsAgent: 'testbot',
    });
    expect(page.links).toHaveLength(50_000);
    expect(page).toMatchObject({ truncated: true, dropped: 50_000 });
  });
});
