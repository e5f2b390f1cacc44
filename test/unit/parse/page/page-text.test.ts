/** The digest of what a page says: the same for pages that say the same, another for all others. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHtml } from '../../../../src/parse/page/html.js';

const digest = async (html: string, url = 'https://site.test/page') => {
  const input = { url, contentType: 'text/html; charset=utf-8', robotsAgent: 'bot' };
  return (await parseHtml(Buffer.from(html), input)).textDigest;
};
const expectSame = async (...pages: (string | [string, string])[]) => {
  const all = await Promise.all(
    pages.map((page) => digest(...([page].flat() as [string, string]))),
  );
  expect(new Set(all).size, all.join(' ')).toBe(1);
};
const expectDifferent = async (...pages: string[]) => {
  const all = await Promise.all(pages.map((page) => digest(page)));
  expect(new Set(all).size, all.join(' ')).toBe(pages.length);
};

describe('pages that say the same have one digest', () => {
  it('whatever the markup', () =>
    expectSame(
      '<p>Nothing <b>was</b> found</p><p>here',
      '<div class="x"><h1>nothing was</h1> found<br>HERE</div><!-- y -->',
      'Nothing <a href="/other">was</a> f<i>ou</i>nd &nbsp; h&#101;re',
      'Nothing was<script>var found = 1;</script> found<style>p{}</style> here',
    ));

  it('whatever the digits', () =>
    expectSame(
      'Photo 12 of 60, id a1b2c3, € 1,299.00',
      'Photo 7 of 60, id ffee01, € 5.00',
      'Photo ٣ of 60, id x9, € 1',
    ));

  it.each([
    ['English', 'Posted on Monday, May 12th', 'Posted on Fri, December 3rd'],
    ['German', 'Montag, 3. Mai', 'Di. 24. Dezember'],
    ['French', 'lundi 1er août', 'mardi 2 février'],
    ['Russian', 'понедельник, 12 мая', 'среда, 1 января'],
    ['Polish', 'środa, 5 maja', 'piątek, 1 stycznia'],
    ['Greek', '5 Μαΐου', '1 Ιανουαρίου'],
    ['Japanese', '2024年5月12日に公開された記事です', '2025年11月1日に公開された記事です'],
    ['Chinese', '发布于二〇二四年五月十二日的文章', '发布于二〇二五年十一月一日的文章'],
    ['Korean', '5월 12일 일요일 소식', '11월 1일 토요일 소식'],
  ])('whatever the date: %s', (_language, one, other) => expectSame(one, other));

  it('whatever links it lists that are named by their address', () =>
    expectSame(
      'No such page. <a href="/xkwq">xkwq</a> <a href="/go/plmz">/go/plmz</a>',
      'No such page. <a href="/other">other</a> <a href="http://x.test/y.html">x.test/y.html</a>',
      'No such page. <a href="?q=word">word</a> <a href="/%C3%A4h/">äh</a>',
    ));

  it('whatever of its own address it repeats', () =>
    expectSame(
      ['/a/lost was not found', 'https://site.test/a/lost'],
      ['/b was not found', 'https://site.test/b'],
      ['„zebra“ was not found', 'https://site.test/search?q=zebra'],
      ['https://site.test/x%20y was not found', 'https://site.test/x%20y'],
    ));
});

describe('pages that say something else have another', () => {
  it('by a word, or the order of words', () =>
    expectDifferent('red shoes', 'blue shoes', 'shoes red', 'red', 'red shoes red', ''));

  it('by the names of what they link to', () =>
    expectDifferent(
      '<a href="/p/red-shoe">Red shoe</a>',
      '<a href="/p/blue-shoe">Blue shoe</a>',
      '<a href="/p/blue">A blue one</a>',
    ));

  it('by a sentence of a script without spaces', () =>
    expectDifferent('2024年5月12日に公開された記事です', '2024年5月12日に削除された記事です'));
});

describe('the digest of anything', () => {
  it('is 16 hexadecimal digits, the same again', async () => {
    const part = fc.constantFrom(
      '<p>',
      '<a href="/x">',
      '</a>',
      '<script>',
      '</script>',
      'x ',
      '1',
      '&amp;',
    );
    const html = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 60 }).map((all) => all.join('')),
    );
    await fc.assert(
      fc.asyncProperty(html, fc.webUrl(), async (page, url) => {
        const one = await digest(page, url);
        expect(one).toMatch(/^[0-9a-f]{16}$/);
        expect(await digest(page, url)).toBe(one);
      }),
    );
  });

  it('takes memory and steps in proportion to the page', async () => {
    // Quadratic work on these would take minutes: this must end within the test's time.
    for (const unit of [
      'x',
      'x ',
      '1',
      '年',
      '<p>',
      '<a href="/x">x',
      '&amp;',
      '<b>x</b>',
      '/',
      "'",
    ]) {
      expect(await digest(unit.repeat(2_000_000 / unit.length))).toMatch(/^[0-9a-f]{16}$/);
    }
  }, 60_000);

  it('does not depend on where the page is cut into pieces', async () => {
    const words = Array.from(
      { length: 40_000 },
      (_unused, n) => `w${'abcdefgh'[n % 8]!.repeat(n % 5)}`,
    );
    await expectSame(words.join(' '), words.join('\n'), `<p>${words.join('</p><p>')}</p>`);
  });
});
