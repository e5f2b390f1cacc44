import { describe, expect, it } from 'vitest';
import {
  assertPolite,
  coverage,
  politenessBreaches,
  repeats,
  robotsBreaches,
  strays,
} from '../../support/synthetic-web/judge.js';
import { shares } from '../../support/synthetic-web/judge-shares.js';
import type { SyntheticManifest } from '../../support/synthetic-web/manifest.js';
import { pageIdentity } from '../../support/synthetic-web/page-identity.js';
import type { RequestRecord } from '../../support/synthetic-web/request-log.js';

let nextId = 1;
const seen = (
  path: string,
  startMs: number,
  endMs: number | null,
  extra: Partial<RequestRecord> = {},
): RequestRecord => ({
  id: nextId++,
  host: 'a.test',
  method: 'GET',
  path,
  kind: 'page',
  userAgent: 'bot/1',
  connection: 1,
  startMs,
  endMs,
  status: 200,
  retryAfterMs: null,
  aborted: false,
  ...extra,
});

const manifest: SyntheticManifest = {
  seedUrl: 'http://a.test/',
  hosts: ['a.test'],
  pages: ['http://a.test/', 'http://a.test/docs/', 'http://a.test/list?page=2'],
  noindex: ['http://a.test/unlisted'],
  redirects: ['http://a.test/docs', 'http://a.test/old'],
  failures: ['http://a.test/gone'],
  files: ['http://a.test/x.pdf'],
  disallowed: ['http://a.test/private/'],
  unfollowed: ['http://a.test/unfollowed'],
  crawlDelaysS: {},
  maxDepth: 2,
};

describe('judge of politeness (F2)', () => {
  const rules = { minGapMs: 100 };

  it('accepts requests that keep the delay, host by host', () => {
    const log = [
      seen('/robots.txt', 0, 10, { kind: 'robots' }),
      seen('/', 110, 130),
      seen('/', 20, 30, { host: 'b.test' }),
      seen('/x', 230, null),
    ];
    expect(() => assertPolite(log, rules)).not.toThrow();
  });

  it('names both requests of a pair that came too close', () => {
    const log = [seen('/one', 0, 50), seen('/two', 149.4, 160)];
    expect(() => assertPolite(log, rules)).toThrow(
      /a\.test: gap: 99\.4 ms, needs 100 ms\n.*GET \/one.*\n.*GET \/two/,
    );
  });

  it.each(['robots', 'sitemap', 'other'] as const)('counts requests of kind %s', (kind) => {
    const before = [seen('/k', 0, 50, { kind }), seen('/page', 60, 70)];
    const after = [seen('/page', 0, 50), seen('/k', 60, 70, { kind })];
    expect(politenessBreaches(before, rules)).toHaveLength(1);
    expect(politenessBreaches(after, rules)).toHaveLength(1);
  });

  it('sees two requests in flight, also at no delay', () => {
    const overlap = [seen('/one', 0, 50), seen('/two', 40, 60)];
    const open = [seen('/one', 0, null), seen('/two', 40, 60)];
    for (const log of [overlap, open]) {
      expect(politenessBreaches(log, { minGapMs: 0 })[0]?.rule).toBe('one at a time');
    }
  });

  it('measures from the end that came last, not from the request before', () => {
    const log = [seen('/long', 0, 500), seen('/inside', 10, 20), seen('/after', 550, 560)];
    const breaches = politenessBreaches(log, rules);
    expect(breaches.map(({ before, after }) => [before.path, after.path])).toEqual([
      ['/long', '/inside'],
      ['/long', '/after'],
    ]);
  });

  it('does not depend on the order of the log', () => {
    const log = [seen('/two', 60, 70), seen('/one', 0, 50)];
    expect(politenessBreaches(log, rules)[0]?.before.path).toBe('/one');
  });

  it('holds a host to the longer delay that it asked for', () => {
    const log = [seen('/one', 0, 50), seen('/two', 200, 210)];
    expect(politenessBreaches(log, { ...rules, perHostDelayMs: { 'a.test': 2_000 } })).toHaveLength(
      1,
    );
    expect(politenessBreaches(log, { ...rules, perHostDelayMs: { 'b.test': 2_000 } })).toEqual([]);
  });

  it('holds a crawler to Retry-After, unless told not to', () => {
    const log = [seen('/busy', 0, 50, { status: 429, retryAfterMs: 1_000 }), seen('/', 900, 910)];
    expect(politenessBreaches(log, rules)[0]?.rule).toBe('Retry-After');
    expect(politenessBreaches(log, { ...rules, honourRetryAfter: false })).toEqual([]);
  });

  it('grants a few ms after a request that the client broke off, and no more', () => {
    const broken = seen('/one', 0, 50, { aborted: true });
    expect(politenessBreaches([broken, seen('/two', 146, 160)], rules)).toEqual([]);
    expect(politenessBreaches([broken, seen('/two', 140, 160)], rules)).toHaveLength(1);
  });
});

describe('judge of repeats (F1, F7)', () => {
  it('counts a page once for all its spellings', () => {
    const log = [
      seen('/list?page=2', 0, 1),
      seen('/list?page=2&utm_source=mail', 2, 3),
      seen('/list?page=2', 4, 5),
      seen('/', 6, 7),
    ];
    expect(repeats(log)).toEqual(new Map([['http://a.test/list?page=2', 3]]));
  });

  it('takes retries and redirects for what they are', () => {
    const log = [
      seen('/flaky', 0, 1, { status: 503 }),
      seen('/flaky', 2, 3),
      seen('/docs', 4, 5, { status: 301 }),
      seen('/docs/', 6, 7),
    ];
    expect(repeats(log)).toEqual(new Map());
  });
});

describe('judge of robots (RFC 9309)', () => {
  it('finds requests for what is forbidden or not to be followed', () => {
    const log = [seen('/', 0, 1), seen('/private/?utm_source=x', 2, 3), seen('/unfollowed', 4, 5)];
    expect(robotsBreaches(log, manifest).map(({ path }) => path)).toEqual([
      '/private/?utm_source=x',
      '/unfollowed',
    ]);
  });

  it('finds requests for what nothing links to', () => {
    const log = [seen('/docs', 0, 1), seen('/phantom', 2, 3), seen('/gone', 4, 5)];
    expect(strays(log, manifest).map(({ path }) => path)).toEqual(['/phantom']);
  });
});

describe('judge of coverage', () => {
  it('accepts every page once, with or without noindex pages', () => {
    const urls = ['http://a.test/', 'http://a.test/docs', 'http://a.test/list?page=2'];
    const nothing = { missing: [], extra: [], doubled: [] };
    expect(coverage(urls, manifest)).toEqual(nothing);
    expect(coverage([...urls, 'http://a.test/unlisted'], manifest)).toEqual(nothing);
  });

  it('tells missing, extra and doubled pages apart', () => {
    const urls = ['http://a.test/docs', 'http://a.test/docs/', 'http://a.test/old'];
    expect(coverage(urls, manifest)).toEqual({
      missing: ['http://a.test/', 'http://a.test/list?page=2'],
      extra: ['http://a.test/old'],
      doubled: ['http://a.test/docs'],
    });
  });
});

describe('judge of shares', () => {
  const by = (userAgent: string, ...starts: number[]): RequestRecord[] =>
    starts.map((start) => seen(`/${start}`, start, start + 1, { userAgent }));

  it('counts only while both are at work', () => {
    const log = [...by('one/1', 0, 10, 20, 40, 60), ...by('two/1', 30, 50, 70, 80, 90)];
    // Both: from 30 to 60. one: 40, 60; two: 30, 50.
    expect(shares(log, ['one', 'two']).total).toEqual({ first: 2, second: 2, firstShare: 0.5 });
  });

  it('shows a crawl that is kept from its turn', () => {
    const log = [...by('one/1', 1, 2, 3, 4, 5, 6, 7, 9), ...by('two/1', 0, 8)];
    expect(shares(log, ['one', 'two']).total.firstShare).toBeGreaterThan(0.6);
  });

  it('leaves out hosts that only one asked', () => {
    expect(shares(by('one/1', 0, 1), ['one', 'two']).hosts.size).toBe(0);
  });

  it('refuses texts that do not tell the crawls apart', () => {
    expect(() => shares(by('one two', 0), ['one', 'two'])).toThrow(/byUserAgent: .*both occur/);
  });
});

describe('page identity (F7)', () => {
  it.each([
    ['HTTP://A.TEST:80/docs/#top', 'http://a.test/docs'],
    ['http://a.test', 'http://a.test/'],
    ['http://a.test/l?utm_source=x&page=2&gclid=1', 'http://a.test/l?page=2'],
    ['http://a.test/l?utm_medium=x', 'http://a.test/l'],
  ])('of %s is %s', (url, identity) => {
    expect(pageIdentity(url)).toBe(identity);
  });
});
