import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Link } from '../../../src/contracts/urls.js';
import { parseHtml, type HtmlInput } from '../../../src/parse/html.js';
import { loadVectors } from '../../vectors/load.js';
import {
  expandParts,
  hasSharedCases,
  sharedCases,
  sharedName,
  type SharedCase,
} from '../../vectors/shared-cases.js';

interface LinkCase {
  name: string;
  url: string;
  html: string;
  charset?: string;
  links: Link[];
  noindex?: boolean;
  nofollow?: boolean;
  title?: string;
  canonical?: string | null;
}

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
  it.each(loadVectors<LinkCase>('links'))('$name', async (each) => {
    // The one legacy encoding of the vectors: Cyrillic letters of windows-1251 are a row of 64.
    const body =
      each.charset === undefined
        ? Buffer.from(each.html)
        : Buffer.from(
            each.html.replace(/[А-я]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0x350)),
            'latin1',
          );
    const contentType = each.charset === undefined ? 'text/html; charset=utf-8' : 'text/html';
    const document = await parse(body, { url: each.url, contentType });
    expect(document.links).toEqual(each.links);
    expect(document.noindex).toBe(each.noindex ?? false);
    expect(document.nofollow).toBe(each.nofollow ?? false);
    expect(document.truncated).toBe(false);
    if (each.title !== undefined) expect(document.title).toBe(each.title);
    if (each.canonical !== undefined) expect(document.canonical).toBe(each.canonical);
    expect(document.charset).toBe(each.charset ?? 'utf-8');
  });

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
    const html = `<a href="${long}">a</a><a href="/${'y'.repeat(70_000)}">b</a><a href=/z>c</a>`;
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

  it('adds links and canonical of Link headers, relative to the response', async () => {
    const document = await parse('<base href=http://o.example/><a href=1>x</a>', {
      linkHeader: ['</n>; rel="next", </s.css>; rel=preload', '<c>; rel=canonical'],
    });
    expect(document.links).toEqual([
      { url: 'http://o.example/1', kind: 'a', nofollow: false },
      { url: 'http://h.example/n', kind: 'header', nofollow: false },
      { url: 'http://h.example/d/c', kind: 'header', nofollow: false },
    ]);
    expect(document.canonical).toBe('http://h.example/d/c');
    expect(document.base).toBe('http://o.example/');
  });

  it('obeys X-Robots-Tag beside meta robots', async () => {
    const document = await parse('<meta name=robots content=nofollow>', {
      xRobotsTag: ['testbot: noindex'],
    });
    expect(document).toMatchObject({ noindex: true, nofollow: true });
  });

  it('takes any bytes and returns only http URLs, each once', async () => {
    const soup = fc.string({
      unit: fc.constantFrom(
        '<a href=',
        '"',
        "'",
        '>',
        '/',
        '<!--',
        '-->',
        '<svg>',
        '<script>',
        '</script>',
        '<title>',
        '&amp;',
        '&',
        'http://',
        'x',
        '\0',
        ' ',
        '<meta charset=big5>',
        '<base href=',
      ),
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(soup, fc.uint8Array({ maxLength: 200 })), async (body) => {
        const document = await parse(Buffer.from(body), { contentType: null });
        const urls = urlsOf(document);
        expect(new Set(urls).size).toBe(urls.length);
        expect(urls.every((url) => /^https?:\/\/[^#]*$/.test(url))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

interface PublicCase extends SharedCase {
  url: string;
  html?: string;
  htmlBase64?: string;
  htmlParts?: { text: string; repeat?: number }[];
  contentType: string | null;
  links: { url: string; kind: string; nofollow?: boolean; optional?: boolean }[];
  mustNot?: string[];
  nofollow: boolean;
  expectTitle?: string;
}

const EMBEDS = /img|srcset|css|style|icon|script|form|embed|object|source|video|audio|manifest/;

describe('public HTML cases', () => {
  it.skipIf(!hasSharedCases)(
    sharedName('have the links, titles and directives expected'),
    async () => {
      const failing: string[] = [];
      for (const each of sharedCases<PublicCase>('links')) {
        const body = each.htmlBase64
          ? Buffer.from(each.htmlBase64, 'base64')
          : Buffer.from(each.html ?? expandParts(each.htmlParts ?? []));
        const document = await parse(body, { url: each.url, contentType: each.contentType });
        const found = new Map(document.links.map((link) => [link.url, link]));
        const isRight =
          each.links
            .filter(({ kind, optional, url }) => !(optional || EMBEDS.test(kind)) || found.has(url))
            .every(({ url, nofollow }) => found.get(url)?.nofollow === (nofollow ?? false)) &&
          // A case of time only lists no links, whatever the page has.
          (each.links.length === 0 ||
            urlsOf(document).every((url) => each.links.some((l) => l.url === url))) &&
          !(each.mustNot ?? []).some((url) => found.has(url)) &&
          document.nofollow === each.nofollow &&
          (each.expectTitle === undefined || document.title === each.expectTitle);
        if (!isRight) failing.push(each.name);
      }
      expect(failing).toEqual([]);
    },
  );
});
