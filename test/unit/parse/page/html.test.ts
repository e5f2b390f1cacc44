import { describe, expect, it } from 'vitest';
import type { Link } from '../../../../src/contracts/urls.js';
import { parseHtml, type HtmlInput } from '../../../../src/parse/page/html.js';
function parse(html: string | Buffer, input: Partial<HtmlInput> = {}) {
  return parseHtml(Buffer.from(html), {
    url: 'http://h.example/d/p',
    contentType: 'text/html; charset=utf-8',
    robotsAgent: 'testbot',
    ...input,
  });
}

const urlsOf = ({ links }: { links: Link[] }) => links.map(({ url }) => url);

describe('parseHtml', () => {
  it('finds the same in any chunk, wherever the borders fall', async () => {
    const unit = '<p>é€😀</p><a class="x" href="/&amp;%C3%A9?q=é"><!-- c --></a>\n';
    for (const shift of [0, 1, 2, 3, 5, 7, 11, 13, 17]) {
      const html = `${' '.repeat(65_536 - 40 + shift)}${unit.repeat(3)}<a href=/last>`;
      expect(urlsOf(await parse(html))).toEqual([
        'http://h.example/&%C3%A9?q=%C3%A9',
        'http://h.example/last',
      ]);
    }
  });

  it('keeps a long href whole and drops one past the limit', async () => {
    const long = `/${'x'.repeat(5_000)}`;
    const html = `<a href="${long}">a</a><a href="/${'y'.repeat(300_000)}">b</a><a href=/z>c</a>`;
    expect(urlsOf(await parse(html))).toEqual([`http://h.example${long}`, 'http://h.example/z']);
  });

  it('stops at maxLinks distinct links and says so', async () => {
    const html = Array.from({ length: 30 }, (_, i) => `<a href=/${i % 20}>x</a>`).join('');
    const document = await parse(html, { maxLinks: 10 });
    expect(document.links).toHaveLength(10);
    expect(document).toMatchObject({ truncated: true, dropped: 10 });
    expect(await parse(html, { maxLinks: 20 })).toMatchObject({ truncated: false, dropped: 0 });
  });

  it('stops at maxBytes and says so', async () => {
    const document = await parse('<a href=/1></a><a href=/2></a>', { maxBytes: 16 });
    expect(urlsOf(document)).toEqual(['http://h.example/1']);
    expect(document.truncated).toBe(true);
  });

  it('stops when its time is up and says so', async () => {
    const document = await parse('<a href=/1></a>'.repeat(20_000), { maxMs: 0 });
    expect(document.truncated).toBe(true);
    expect(urlsOf(document)).toEqual(['http://h.example/1']);
  });

  it('gives the event loop its turn on a large page', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      handle = setImmediate(count);
    };
    let handle = setImmediate(count);
    await parse('<div>'.repeat(1_000_000));
    clearImmediate(handle);
    expect(turns).toBeGreaterThan(50);
  });

  it.each([
    ['deep nesting', '<div>'.repeat(1e6) + '</x>'.repeat(1e6)],
    ['one tag of many attributes', `<a ${'b=c '.repeat(1e6)}`],
    ['an unclosed comment', `<!--${'- '.repeat(1e6)}`],
    ['nothing but opening brackets', '<'.repeat(3e6)],
    ['unclosed pictures', '<svg><title>'.repeat(3e5)],
    ['blanks in rel', `<a rel="${' '.repeat(60_000)}" href=x>`.repeat(50)],
  ])('reads %s in linear time', async (_name, html) => {
    const document = await parse(html);
    expect(document.truncated).toBe(false);
  });

  it('obeys X-Robots-Tag beside meta robots', async () => {
    const document = await parse('<meta name=robots content=nofollow>', {
      xRobotsTag: ['testbot: noindex'],
    });
    expect(document).toMatchObject({ noindex: true, nofollow: true });
  });
});
