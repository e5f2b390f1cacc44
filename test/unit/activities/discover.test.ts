import { describe, expect, it } from 'vitest';
import type { CrawlContext } from '../../../src/activities/crawl-context.js';
import { discover, type FoundUrl } from '../../../src/activities/discover.js';
import { compileScope } from '../../../src/url/scope.js';
import { crawlSettings } from '../../support/frontier/builders.js';
import type { CrawlSettings } from '../../../src/contracts/settings.js';

function context(changes: Partial<CrawlSettings> = {}): CrawlContext {
  const settings = crawlSettings({ scope: 'domain', ...changes });
  const scope = compileScope(['http://site.test/'], settings);
  return { crawlId: 'c', version: 1, settings, scope };
}
const PAGE = { url: 'http://site.test/', depth: 2, hops: 'LL', kind: 'page' } as const;
const link = (url: string, changes: Partial<FoundUrl> = {}): FoundUrl => ({
  ...{ url, hop: 'L', kind: 'page' },
  ...changes,
});

describe('discovered URLs', () => {
  it('carry where they came from, and all that the frontier needs', () => {
    const { admitted } = discover(context(), PAGE, [link('http://www.site.test/a?utm_source=x')]);
    expect(admitted).toMatchObject([
      {
        ...{ url: 'http://www.site.test/a?utm_source=x', depth: 3, hops: 'LLL', via: PAGE.url },
        ...{ hostKey: 'www.site.test', registeredDomain: 'site.test', attempts: 0 },
      },
    ]);
    const plain = discover(context(), PAGE, [link('http://www.site.test/a')]);
    expect(plain.admitted[0]!.fingerprint).toBe(admitted[0]!.fingerprint);
  });

  it.each([
    ['L', 'page', 3],
    ['S', 'page', 3],
    ['R', 'page', 2],
    ['E', 'page', 2],
    ['M', 'page', 3],
    ['M', 'sitemap', 2],
  ] as const)('a hop %s to a %s makes depth 2 into %i', (hop, kind, depth) => {
    const { admitted } = discover(context(), PAGE, [link('http://site.test/x', { hop, kind })]);
    expect(admitted[0]!.depth).toBe(depth);
  });

  it('pages of a sitemap at the root count as linked from the seed', () => {
    const root = {
      url: 'http://site.test/robots.txt',
      depth: 0,
      hops: '',
      kind: 'sitemap',
    } as const;
    const { admitted } = discover(context(), root, [link('http://site.test/x', { hop: 'M' })]);
    expect(admitted[0]!.depth).toBe(1);
  });

  it('a sitemap comes after what is nearer, so that no end of sitemaps keeps pages waiting', () => {
    const level = (hops: string, kind: FoundUrl['kind']) => {
      const parent = { url: 'http://site.test/s.xml', depth: 0, hops, kind: 'sitemap' } as const;
      const found = link('http://site.test/x', { hop: 'M', kind });
      return discover(context(), parent, [found]).admitted[0]!.level;
    };
    expect(level('', 'sitemap')).toBe(level('', 'page'));
    expect(level('M', 'sitemap')).toBeGreaterThan(level('M', 'page'));
    expect(level('MM', 'sitemap')).toBeGreaterThan(level('M', 'sitemap'));
  });

  it('sitemaps that one ten hops from robots.txt names are held back', () => {
    const parent = { url: 'http://site.test/s.xml', depth: 0, hops: 'MRMRMRMRMR', kind: 'sitemap' };
    const found = [
      link('http://site.test/t.xml', { hop: 'M', kind: 'sitemap' }),
      link('http://site.test/u.xml', { hop: 'R', kind: 'sitemap' }),
      link('http://site.test/page', { hop: 'M' }),
    ];
    const { admitted, rejected } = discover(context(), { ...parent, kind: 'sitemap' }, found);
    expect(rejected).toEqual({});
    const suspicion = { rule: 'sitemapHops', weight: 'hold' };
    expect(admitted.map((url) => [url.url, url.suspicion])).toEqual([
      ['http://site.test/t.xml', suspicion],
      ['http://site.test/u.xml', suspicion],
      ['http://site.test/page', undefined],
    ]);
  });

  it('what looks like a trap comes later, unless a sitemap lists it or traps are off', () => {
    const url = 'http://site.test/cal/9999/1?lang=en&lang=en';
    const level = (settings: Parameters<typeof context>[0], hop: FoundUrl['hop']) => {
      const { admitted } = discover(context(settings), PAGE, [link(url, { hop })]);
      return [admitted[0]!.level, admitted[0]!.suspicion] as const;
    };
    const plain = level({ traps: false }, 'L');
    expect(plain).toEqual([expect.any(Number), undefined]);
    const suspicion = { rule: 'repeatedParameter', weight: 'later' };
    expect(level({}, 'L')).toEqual([plain[0] + 128, suspicion]);
    expect(level({}, 'M')[1]).toBeUndefined();
  });

  it('what somebody calls a sitemap is still new as a page', () => {
    const found = [link('http://site.test/x', { kind: 'sitemap' }), link('http://site.test/x')];
    const [sitemap, page] = discover(context(), PAGE, found).admitted;
    expect(sitemap!.fingerprint).not.toBe(page!.fingerprint);
  });

  it('are refused by reason: nofollow, scope, depth', () => {
    const found = [
      link('http://site.test/a', { nofollow: true }),
      link('http://other.test/'),
      link('http://site.test/deep'),
      link('http://site.test/same', { hop: 'R' }),
    ];
    const { admitted, rejected } = discover(context({ maxDepth: 2 }), PAGE, found);
    expect(rejected).toEqual({ nofollow: 1, outOfScope: 1, depth: 1 });
    expect(admitted.map(({ url }) => url)).toEqual(['http://site.test/same']);
  });

  it('nofollow counts for nothing where robots are ignored', () => {
    const found = [link('http://site.test/a', { nofollow: true })];
    expect(discover(context({ robots: 'ignore' }), PAGE, found).admitted.length).toBe(1);
  });
});
