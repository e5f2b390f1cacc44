import { describe, expect, it } from 'vitest';
import { sitemapPrintOf, sitemapTrust, sitemapVia } from '../../../src/activities/sitemap-trust.js';
import { DEFAULT_CANONICAL } from '../../../src/url/canonical-settings.js';

const A = 'http://www.a.test';
const B = 'http://maps.b.test';

describe('whose pages a sitemap may list', () => {
  it.each([
    ['its own site', `${A}/s.xml`, `${A}/robots.txt`, `${A}/x`, true],
    ['another scheme, port and folder of it', `${A}/d/s.xml`, '', 'https://www.a.test:8443/', true],
    ['another host of its registered domain', `${A}/s.xml`, '', 'http://a.test/', true],
    ['the site whose robots.txt names it', `${B}/s.xml`, `${A}/robots.txt`, `${A}/x`, true],
    ['its own, named by another', `${B}/s.xml`, `${A}/robots.txt`, `${B}/x`, true],
    ['a third one', `${B}/s.xml`, `${A}/robots.txt`, 'http://c.test/', false],
    ['one whose name ends alike', `${A}/s.xml`, '', 'http://nota.test/', false],
    [
      'a neighbour under a public suffix',
      'http://a.github.io/s.xml',
      '',
      'http://b.github.io/',
      false,
    ],
    ['another address', 'http://192.0.2.1/s.xml', '', 'http://192.0.2.2/', false],
  ])('%s', (_name, url, via, page, expected) => {
    expect(sitemapTrust({ url, via }, true)(page)).toBe(expected);
  });

  it('one that was met as a page speaks for itself, whoever links to it', () => {
    const isTrusted = sitemapTrust({ url: `${B}/s.xml`, via: `${A}/` }, false);
    expect([`${B}/x`, `${A}/x`].map(isTrusted)).toEqual([true, false]);
  });

  it('who vouches for an index vouches for its sitemaps, at home and abroad', () => {
    const home = { url: `${A}/index.xml`, via: `${A}/robots.txt`, kind: 'sitemap' } as const;
    expect(sitemapVia(home)).toBe(home.url);
    const abroad = { url: `${B}/index.xml`, via: `${A}/robots.txt`, kind: 'sitemap' } as const;
    expect(sitemapVia(abroad)).toBe(abroad.via);
    expect(sitemapVia({ ...abroad, kind: 'page' })).toBe(abroad.url);
    expect(sitemapVia({ url: `${A}/robots.txt`, kind: 'sitemap' })).toBe(`${A}/robots.txt`);
  });

  it('it is read once for each domain that vouches for it, once for itself', () => {
    const print = (url: string, via: string) => sitemapPrintOf({ url, via }, DEFAULT_CANONICAL);
    const url = `${B}/s.xml`;
    const prints = ['', `${B}/robots.txt`, 'http://b.test/index.xml'].map((via) => print(url, via));
    expect(new Set(prints).size).toBe(1);
    const vouched = [`${A}/robots.txt`, 'http://c.test/robots.txt'].map((via) => print(url, via));
    expect(new Set([...prints, ...vouched]).size).toBe(3);
    expect(print(url, 'http://other.a.test/robots.txt')).toBe(vouched[0]);
  });
});
