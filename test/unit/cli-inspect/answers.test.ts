import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../src/url/canonical-url.js';
import { DEFAULT_CANONICAL } from '../../../src/url/canonical-settings.js';
import { answersTo } from './inspect-run.js';

describe('inspect url (F7)', () => {
  it('resolves like a browser, and gives the key that the crawl uses', async () => {
    const [answer] = await answersTo('url', [
      { href: '../a?utm_source=x#part', base: 'https://user:word@Docs.Example.co.uk:8443/b/c/' },
    ]);
    expect(answer).toEqual({
      resolved: 'https://user:word@docs.example.co.uk:8443/b/a?utm_source=x#part',
      canonical: 'https://docs.example.co.uk:8443/b/a',
      fingerprint: fingerprintOf('https://docs.example.co.uk:8443/b/a', DEFAULT_CANONICAL),
      hostKey: 'docs.example.co.uk:8443',
      registeredDomain: 'example.co.uk',
    });
  });

  it('has null where there is none', async () => {
    const answers = await answersTo('url', [
      { href: 'mailto:a@b.test' },
      { href: 'http://' },
      { href: 'x', base: 'not a URL' },
      { href: 'http://127.0.0.1:8080/' },
      { href: 'http://github.io/', base: null },
    ]);
    const none = { canonical: null, fingerprint: null, hostKey: null, registeredDomain: null };
    expect(answers.slice(0, 3)).toEqual([
      { resolved: 'mailto:a@b.test', ...none },
      { resolved: null, ...none },
      { resolved: null, ...none },
    ]);
    expect(answers[3]).toMatchObject({ hostKey: '127.0.0.1:8080', registeredDomain: null });
    expect(answers[4]).toMatchObject({ hostKey: 'github.io', registeredDomain: null });
  });

  it("encodes a query in the page's encoding, and nothing else", async () => {
    const answers = await answersTo('url', [
      { href: '/é?q=é#é', base: 'http://u@a.test/', documentCharset: 'latin1' },
      { href: 'http://a.test/é?q=é', documentCharset: 'iso-8859-5' },
      { href: '/é?q=é', base: 'http://a.test/', documentCharset: 'UTF-8' },
      { href: 'data:text/plain,é?é', documentCharset: 'latin1' },
    ]);
    expect(answers.map(({ resolved }) => resolved)).toEqual([
      'http://u@a.test/%C3%A9?q=%E9#%C3%A9',
      'http://a.test/%C3%A9?q=%26%23233%3B',
      'http://a.test/%C3%A9?q=%C3%A9',
      'data:text/plain,%C3%A9?%C3%A9',
    ]);
  });

  it('follows the switches of the canonical form', async () => {
    const href = 'https://www.a.test/b/?b=1&a=2&ref=x';
    const flags = ['--canonical', 'no-trailingSlash', '--canonical', 'www'];
    const [answer] = await answersTo('url', [{ href }], ...flags, '--drop-parameters', 'ref');
    expect(answer?.['canonical']).toBe('https://a.test/b/?b=1&a=2');
  });
});

describe('inspect robots', () => {
  const robotsTxt = [
    'User-agent: *',
    'Disallow: /private',
    'Allow: /private/open',
    'Crawl-delay: 2.5',
    'Sitemap: /map.xml',
  ].join('\n');

  it('names the line that decides', async () => {
    const ask = (path: string) => ({
      robotsTxt,
      userAgent: 'any/1.0',
      url: `http://a.test${path}`,
    });
    const answers = await answersTo('robots', [ask('/'), ask('/private'), ask('/private/open')]);
    expect(answers).toEqual([
      { allowed: true, rule: null, crawlDelay: 2.5, sitemaps: ['http://a.test/map.xml'] },
      expect.objectContaining({
        allowed: false,
        rule: expect.stringMatching(/disallow: \/private$/i) as unknown,
      }),
      expect.objectContaining({
        allowed: true,
        rule: expect.stringMatching(/allow: \/private\/open$/i) as unknown,
      }),
    ]);
  });

  it('takes bytes before text where both are given', async () => {
    const robotsTxtBase64 = Buffer.from('User-agent: *\nDisallow: /').toString('base64');
    const request = { robotsTxt: '', robotsTxtBase64, userAgent: 'x', url: 'http://a.test/' };
    expect((await answersTo('robots', [request]))[0]).toMatchObject({ allowed: false });
  });
});

describe('inspect links', () => {
  const base = 'https://a.test/dir/page';

  it('tells links, directives, canonical, charset and title', async () => {
    const html =
      '<title> A\n page </title><meta name=robots content=noindex><link rel=canonical href=/c>' +
      '<a href=x>x</a><a rel=nofollow href=/y#z>y</a>';
    const [answer] = await answersTo('links', [{ html, base, contentType: 'text/html' }]);
    expect(answer).toEqual({
      links: [
        { url: 'https://a.test/c', kind: 'link', nofollow: false },
        { url: 'https://a.test/dir/x', kind: 'a', nofollow: false },
        { url: 'https://a.test/y', kind: 'a', nofollow: true },
      ],
      noindex: true,
      nofollow: false,
      canonical: 'https://a.test/c',
      charset: expect.any(String) as unknown,
      title: 'A page',
    });
  });

  it('finds none in what the crawl does not take for HTML', async () => {
    const html = '%PDF-1.7 <a href=/x>x</a>';
    const [answer] = await answersTo('links', [{ html, base, contentType: 'text/html' }]);
    expect(answer).toEqual({
      links: [],
      noindex: false,
      nofollow: false,
      canonical: null,
      charset: null,
      title: null,
    });
  });

  it('has what a feed lists, and what a sitemap lists of its own site, as the crawl does', async () => {
    const rss = '<rss><channel><item><link>https://b.test/news</link></item></channel></rss>';
    const map =
      '<urlset><url><loc>https://a.test/1</loc></url><url><loc>https://b.test/2</loc></url></urlset>';
    const answers = await answersTo('links', [
      { html: rss, base, contentType: 'text/html' },
      { html: map, base, contentType: 'application/xml' },
    ]);
    expect(answers.map(({ links }) => links)).toEqual([
      [{ url: 'https://b.test/news', kind: 'feed', nofollow: false }],
      [{ url: 'https://a.test/1', kind: 'sitemap', nofollow: false }],
    ]);
  });

  it('has the links of style sheets and plain text where they are asked for', async () => {
    const css = { html: '@import "/more.css";', base, contentType: 'text/css' };
    const text = { html: 'see http://a.test/told.', base, contentType: 'text/plain' };
    const flags = ['--embeds', '--text-links'];
    const urls = (answer: Record<string, unknown>) =>
      (answer['links'] as { url: string }[]).map(({ url }) => url);
    expect((await answersTo('links', [css, text])).map(urls)).toEqual([[], []]);
    expect((await answersTo('links', [css, text], ...flags)).map(urls)).toEqual([
      ['https://a.test/more.css'],
      ['http://a.test/told'],
    ]);
  });

  it('obeys meta robots for the crawler that is named', async () => {
    const html = '<meta name=mybot content=nofollow><a href=x>x</a>';
    const [theirs] = await answersTo('links', [{ html, base }]);
    const [ours] = await answersTo('links', [{ html, base }], '--robots-agent', 'mybot');
    expect([theirs?.['nofollow'], ours?.['nofollow']]).toEqual([false, true]);
  });

  it('has embeds, forms and URLs in text where they are asked for', async () => {
    const html = '<img src=/i.png><form action=/find></form><p>see http://a.test/told or not</p>';
    const contentType = 'text/html';
    const urls = async (...flags: string[]) =>
      (
        (await answersTo('links', [{ html, base, contentType }], ...flags))[0]?.['links'] as {
          url: string;
        }[]
      ).map(({ url }) => url);
    expect(await urls()).toEqual([]);
    expect(await urls('--embeds')).toEqual(['https://a.test/i.png']);
    expect(await urls('--forms')).toEqual(['https://a.test/find']);
    expect(await urls('--text-links')).toEqual(['http://a.test/told']);
  });
});

describe('inspect sitemap', () => {
  const url = 'https://a.test/sitemap.xml';

  it('tells URLs with null for what is not said, child sitemaps and errors', async () => {
    const body =
      '<urlset><url><loc>https://a.test/1</loc><lastmod>2026-01-02</lastmod><priority>0.8</priority>' +
      '<changefreq>daily</changefreq></url><url><loc>https://a.test/2</loc></url></urlset>';
    const bodyBase64 = gzipSync(body).toString('base64');
    const index = '<sitemapindex><sitemap><loc>https://a.test/m</loc></sitemap></sitemapindex>';
    const answers = await answersTo('sitemap', [
      { body, url, contentType: null },
      { bodyBase64, url, contentType: 'application/gzip' },
      { body: index, url },
      { body: 'nothing', url },
    ]);
    expect(answers[0]).toEqual({
      urls: [
        {
          loc: 'https://a.test/1',
          lastmod: expect.stringMatching(/^2026-01-02/) as unknown,
          priority: 0.8,
          changefreq: 'daily',
        },
        { loc: 'https://a.test/2', lastmod: null, priority: null, changefreq: null },
      ],
      sitemaps: [],
      errors: [],
    });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual({ urls: [], sitemaps: ['https://a.test/m'], errors: [] });
    expect(answers[3]?.['errors']).toHaveLength(1);
  });
});
