import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_SITEMAP_URLS } from '../../../src/parse/sitemap-collector.js';
import { MAX_SITEMAP_BYTES, parseSitemap, type SitemapEntry } from '../../../src/parse/sitemap.js';
import { loadVectors } from '../../vectors/load.js';
import {
  expandParts,
  hasSharedCases,
  sharedCases,
  sharedName,
  type SharedCase,
} from '../../vectors/shared-cases.js';

interface SitemapCase {
  name: string;
  url: string;
  body: string;
  urls: SitemapEntry[];
  sitemaps: string[];
  error?: string;
}

const parse = (body: string | Buffer, contentType: string | null = null) =>
  parseSitemap(Buffer.from(body), { url: 'http://h.example/sitemap.xml', contentType });

const urlset = (locs: readonly string[]) =>
  `<urlset>${locs.map((loc) => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`;
const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => `http://h.example/${i}`);

describe('parseSitemap', () => {
  const cases = loadVectors<SitemapCase>('sitemaps');

  it.each(cases)('$name', async ({ url, body, urls, sitemaps, error }) => {
    for (const bytes of [Buffer.from(body), gzipSync(body)]) {
      const document = await parseSitemap(bytes, { url, contentType: 'application/xml' });
      expect(document.urls).toEqual(urls);
      expect(document.sitemaps).toEqual(sitemaps);
      expect(document.errors).toEqual(error === undefined ? [] : [expect.stringContaining(error)]);
    }
  });

  it('reads its encoding from mark, declaration and header, in this order', async () => {
    const utf16 = Buffer.from(`\ufeff${urlset(['http://h.example/é'])}`, 'utf16le');
    const declared = Buffer.from(
      `<?xml version="1.0" encoding="iso-8859-1"?>${urlset(['http://h.example/é'])}`,
      'latin1',
    );
    const bare = Buffer.from(urlset(['http://h.example/é']), 'latin1');
    for (const document of [
      await parse(utf16),
      await parse(declared, 'text/xml; charset=utf-8'),
      await parse(bare, 'text/xml; charset=iso-8859-1'),
    ]) {
      expect(document.urls).toEqual([{ loc: 'http://h.example/%C3%A9' }]);
    }
  });

  it('takes 50,000 URLs and reports more', async () => {
    const full = await parse(urlset(numbered(MAX_SITEMAP_URLS)));
    expect(full.urls).toHaveLength(MAX_SITEMAP_URLS);
    expect(full.errors).toEqual([]);
    const over = await parse(numbered(MAX_SITEMAP_URLS + 1).join('\n'));
    expect(over.urls).toHaveLength(MAX_SITEMAP_URLS);
    expect(over.errors).toEqual([expect.stringContaining('more than 50000 URLs')]);
  });

  it('uses what a truncated gzip file holds and reports the damage', async () => {
    const whole = gzipSync(urlset(numbered(20_000)));
    const document = await parse(whole.subarray(0, whole.length / 2));
    expect(document.urls.length).toBeGreaterThan(1_000);
    expect(document.urls.length).toBeLessThan(20_000);
    expect(document.errors).toEqual([expect.stringContaining('damaged gzip')]);
  });

  it('reads gzip in several members', async () => {
    const members = ['<urlset><url><loc>http://h.example', '/a</loc></url></urlset>'];
    const document = await parse(Buffer.concat(members.map((member) => gzipSync(member))));
    expect(document.urls).toEqual([{ loc: 'http://h.example/a' }]);
  });

  it('stops inflating at 50 MB', async () => {
    const body = `<urlset><url><loc>http://h.example/a</loc></url>${' '.repeat(2 * MAX_SITEMAP_BYTES)}</urlset>`;
    const document = await parse(gzipSync(body));
    expect(document.urls).toEqual([{ loc: 'http://h.example/a' }]);
    expect(document.errors).toEqual([expect.stringContaining('more than 52428800 bytes')]);
  });

  it.each([
    ['deep nesting', `<urlset>${'<x>'.repeat(1e6)}${'</y>'.repeat(1e6)}`],
    ['one endless address', `<urlset><url><loc>${'x'.repeat(3e6)}`],
    ['one endless line', 'x'.repeat(3e6)],
    ['end tags only', `<urlset>${'</url>'.repeat(1e6)}`],
  ])('reads %s in linear time', async (_name, body) => {
    expect((await parse(body)).urls).toEqual([]);
  });

  it('takes any bytes', async () => {
    const soup = fc.string({
      unit: fc.constantFrom(
        '<urlset>',
        '<url>',
        '<loc>',
        '</loc>',
        '</url>',
        '<item>',
        '<link href="',
        '"/>',
        '<![CDATA[',
        ']]>',
        '<!DOCTYPE',
        '&',
        ';',
        'http://h.example/',
        'x',
        ' ',
        '\n',
        '<!--',
        '\x1f\x8b',
      ),
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(soup, fc.uint8Array({ maxLength: 200 })), async (body) => {
        const { urls, sitemaps } = await parse(Buffer.from(body));
        const all = [...urls.map(({ loc }) => loc), ...sitemaps];
        expect(all.every((url) => /^https?:\/\/[^#]*$/.test(url))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

interface PublicCase extends SharedCase {
  url: string;
  contentType: string | null;
  body?: string;
  bodyBase64?: string;
  bodyParts?: { text: string; repeat?: number; counter?: boolean }[];
  urls: { loc: string; lastmod?: string; priority?: number; optional?: boolean }[];
  children: { loc: string; optional?: boolean }[];
  mustNot?: string[];
  expect?: string;
  expectCount?: number;
  expectChildrenMin?: number;
}

describe('public sitemap cases', () => {
  it.skipIf(!hasSharedCases)(sharedName('give the entries expected'), async () => {
    const failing: string[] = [];
    for (const each of sharedCases<PublicCase>('sitemaps')) {
      const body =
        each.bodyBase64 === undefined
          ? Buffer.from(each.body ?? expandParts(each.bodyParts ?? []))
          : Buffer.from(each.bodyBase64, 'base64');
      const document = await parseSitemap(body, { url: each.url, contentType: each.contentType });
      const found = new Map(document.urls.map((entry) => [entry.loc, entry]));
      const isReported = document.errors.length > 0;
      const missing = [
        ...each.urls.filter(({ loc, optional }) => !optional && !found.has(loc)),
        ...each.children.filter(
          ({ loc, optional }) => !optional && !document.sitemaps.includes(loc),
        ),
      ];
      const isWrong = each.urls.some(({ loc, lastmod, priority }) => {
        const entry = found.get(loc);
        if (!entry) return false;
        const isDateWrong =
          lastmod !== undefined && Date.parse(entry.lastmod ?? '') !== Date.parse(lastmod);
        return isDateWrong || (priority !== undefined && entry.priority !== priority);
      });
      const isExtra =
        each.expectCount === undefined &&
        document.urls.some(({ loc }) => !each.urls.some((entry) => entry.loc === loc));
      const isRight =
        (missing.length === 0 || (each.expect !== undefined && isReported)) &&
        !isWrong &&
        (!isExtra || (each.expect === 'error-or-partial' && isReported)) &&
        !(each.mustNot ?? []).some((loc) => found.has(loc)) &&
        (each.expectCount === undefined || document.urls.length === each.expectCount) &&
        document.sitemaps.length >= (each.expectChildrenMin ?? 0);
      if (!isRight) failing.push(each.name);
    }
    expect(failing).toEqual([]);
  });
});
