/**
 * Faults that other crawlers were reported to have, played to the whole engine: those that no other
 * test shows as a crawl. test/vectors/bugs.json lists the rest with the tests that prove them.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrawlResult } from '../../../src/contracts/crawl.js';
import type { PageRecord } from '../../../src/contracts/urls.js';
import { startRig, type Crawl, type Rig } from '../../integration/workflows/rig.js';
import { leastGapMs, linksTo, newDomain, type Answer } from '../../integration/workflows/web.js';
import {
  file,
  LONG_PATH,
  PASSWORD,
  passwordHeads,
  redirectTo,
  SITES,
} from '../../support/bug-reports/sites.js';
import { waitFor } from '../../support/chaos.js';
import { dumpState } from '../../support/frontier/state-dump.js';

let rig: Rig;
const asked = (domain: string) =>
  rig.web
    .requests(domain)
    .map(({ path }) => path)
    .filter((path) => path !== '/robots.txt');

beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.close());

describe('bug reports of the field, met in one crawl', () => {
  const out = mkdtempSync(join(tmpdir(), 'orbweaver-bugs-'));
  let result: CrawlResult;
  let stored: string;
  const records = new Map<string, PageRecord>();
  beforeAll(async () => {
    const sites = Object.values(SITES);
    for (const { domain, paths } of sites) rig.web.host(domain, paths);
    const options = { scope: 'domain', textLinks: true, canonical: ['sessionIds'], out };
    const crawl = await rig.crawl({ seeds: sites.flatMap(({ seeds }) => seeds), options });
    result = await crawl.result();
    const dir = join(out, crawl.crawlId);
    stored = readdirSync(dir)
      .map((name) => readFileSync(join(dir, name), 'utf8'))
      .join('');
    for (const line of stored.trim().split('\n')) {
      const record = JSON.parse(line) as PageRecord;
      records.set(record.url, record);
    }
    stored += JSON.stringify([result, await dumpState(rig.redis, `*${crawl.crawlId}*`)]);
  });
  afterAll(() => rmSync(out, { recursive: true, force: true }));
  const ends = ({ domain }: { domain: string }, path: string) => {
    const record = records.get(`http://${domain}${path}`);
    return record && [record.outcome, record.reason].filter(Boolean).join(' ');
  };
  const titleOf = ({ domain }: { domain: string }) => records.get(`http://${domain}/`)?.title;

  it('the crawl ends by itself and leaves the scope for nobody', () => {
    expect(result).toMatchObject({ state: 'finished', refusedSeeds: [] });
    expect(result.totals).toMatchObject({ outstanding: 0, failed: 0, rejected: { outOfScope: 2 } });
    expect(asked(SITES.outside.domain)).toEqual([]);
    expect(ends(SITES.leavingSeed, '/')).toBe('redirected');
  });

  it.each<[string, { readonly domain: string }, readonly string[]]>([
    ['a query right after the host gets its slash', SITES.queryAfterHost, ['/', '/?171']],
    ['a page with and without a password is one', SITES.userinfo, ['/', '/a']],
    ['a base without scheme counts', SITES.baseWithoutScheme, ['/', '/x/y']],
    ['a long href is whole or nothing', SITES.longHref, ['/', LONG_PATH]],
    ['newsId is no session id', SITES.newsIds, ['/', '/a?newsId=1', '/a?newsId=2']],
    [
      'a byte that is no UTF-8 spoils its line of robots.txt only',
      SITES.latin1Robots,
      ['/', '/ok'],
    ],
    ['rules before an endless line of robots.txt count', SITES.longRobotsLine, ['/', '/after']],
    ['a refresh is relative to the base', SITES.refreshByBase, ['/', '/b/n']],
    [
      'a page that two redirects lead to is tried again',
      SITES.mergingRedirects,
      [...['/one', '/two', '/bn', '/bn']],
    ],
    ['escapes that are none stay as they are', SITES.brokenEscapes, ['/', '/%zz', '/%', '/ok']],
    [
      'a rule without path and a delay end no group',
      SITES.robotsGroups,
      [...['/', '/last.xml', '/f', '/listed']],
    ],
  ])('%s', (_fact, { domain }, paths) => {
    expect(asked(domain).sort()).toEqual([...paths].sort());
  });

  it('a password reaches no request, no record and no key', () => {
    expect(passwordHeads).toHaveLength(2);
    for (const head of passwordHeads) {
      expect(Object.keys(head)).not.toEqual(expect.arrayContaining(['authorization']));
      expect(Object.keys(head)).not.toEqual(expect.arrayContaining(['referer']));
    }
    expect(stored).not.toContain(PASSWORD);
  });

  it('apostrophes and asterisks stay, whatever names the URL', () => {
    const paths = ["/it's*here", "/text's*too", "/map's*1", "/list's*2"];
    expect(asked(SITES.apostrophes.domain)).toEqual(expect.arrayContaining(paths));
  });

  it('a charset of fancy is none, and a byte order mark is above all others', () => {
    expect(titleOf(SITES.klingonCharset)).toBe('Мир');
    expect(titleOf(SITES.byteOrderMark)).toBe('café');
  });

  it('sitemaps are used as far as they go, and fetch nothing else', () => {
    const { domain } = SITES.sitemaps;
    const pages = asked(domain).filter((path) => !path.endsWith('.xml'));
    expect(pages.sort()).toEqual(['/', '/blank', '/cut', '/pretty', '/unbalanced']);
    expect(ends(SITES.sitemaps, '/entities.xml')).toMatch(/^skipped a DTD that declares entities/);
    expect(ends(SITES.sitemaps, '/far.xml')).toMatch(/left out \(1\)$/);
  });
});

/** `/` to `/p1` to `/p2` … */
const chain = (pages: number): Record<string, Answer> =>
  Object.fromEntries(
    Array.from({ length: pages }, (_unused, n) => [
      n === 0 ? '/' : `/p${n}`,
      n + 1 < pages ? [`/p${n + 1}`] : 'the end',
    ]),
  );
const crawlOf = (
  paths: Readonly<Record<string, Answer>>,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Crawl & { domain: string }> => {
  const domain = newDomain();
  const seeds = [rig.web.host(domain, paths)];
  return rig.crawl({ seeds, options }).then((crawl) => Object.assign(crawl, { domain }));
};

describe('bug reports of the field, each in a crawl of its own', () => {
  it.concurrent('a seed that redirects is no page of the limit', async () => {
    const crawl = await crawlOf({ ...chain(20), '/': redirectTo('/p1') }, { maxPages: 10 });
    const { finishReason, totals } = await crawl.result();
    expect(finishReason).toBe('pageLimit');
    expect(totals).toMatchObject({ fetched: 10, redirected: 1 });
  });

  it.concurrent('a page of 201,000 links is read as far as a page is, and counted', async () => {
    const links = Array.from({ length: 201_000 }, (_unused, n) => `/n${n}`);
    const crawl = await crawlOf({ '/': linksTo(links), '/n0': 'x', '/n1': 'x' }, { maxPages: 3 });
    const { totals } = await crawl.result();
    expect(totals).toMatchObject({ fetched: 3, discovered: 200_001, rejected: { trap: 1000 } });
  });

  it.concurrent('a crawl that was stopped is resumed, also twice, with its counters', async () => {
    const crawl = await crawlOf(chain(50), { delayMs: 20, delayFactor: 0 });
    await waitFor(() => asked(crawl.domain).length > 10, { what: 'some pages are fetched' });
    await crawl.command({ kind: 'stop' });
    const first = (await crawl.result()).totals;
    const second = await crawl.resume();
    await second.command({ kind: 'stop' });
    expect((await second.result()).totals.fetched).toBeGreaterThanOrEqual(first.fetched);
    const { finishReason, totals } = await (await crawl.resume()).result();
    expect(finishReason).toBe('completed');
    expect(totals).toMatchObject({ fetched: 50, discovered: 50, outstanding: 0 });
    expect(asked(crawl.domain)).toHaveLength(50);
  });

  it.concurrent('a download that stalls keeps a crawl no longer than its own limit', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99999\r\n\r\n<p>';
    const stall = ({ socket }: { socket: { write(text: string): unknown } }) => {
      socket.write(head);
      return new Promise<string>(() => {});
    };
    const limits = { maxDuration: '3s', bodyTimeout: '4s' };
    const crawl = await crawlOf({ '/': stall }, limits);
    const { finishReason, totals } = await crawl.result();
    expect(finishReason).toBe('maxDuration');
    expect(totals).toMatchObject({ fetched: 0, leased: 0, outstanding: 1 });
    expect(asked(crawl.domain)).toEqual(['/']);
  });

  it.concurrent(
    'a Crawl-delay of minutes is cut aloud, and others are fetched meanwhile',
    async () => {
      const domain = newDomain();
      const [slow, fast] = [`slow.${domain}`, `fast.${domain}`];
      const delay = file('User-agent: *\nCrawl-delay: 600');
      rig.web.host(slow, { ...chain(5), '/robots.txt': delay });
      rig.web.host(fast, chain(30));
      const crawl = await rig.crawl({ seeds: [`http://${slow}/`, `http://${fast}/`] });
      await waitFor(() => asked(fast).length === 30, { what: 'the other host is done' });
      expect(await crawl.hostProgress(slow)).toMatchObject({
        state: 'waiting',
        reason: 'crawl delay (robots.txt asks for 600 s, maxDelayMs allows 60 s)',
      });
      expect(asked(slow)).toEqual([]);
      await crawl.command({ kind: 'stop' });
      await crawl.result();
    },
  );

  it.concurrent('a Crawl-delay of nothing shortens no delay', async () => {
    const robots = file('User-agent: *\nCrawl-delay: 0');
    const paths = { ...chain(2), '/robots.txt': robots };
    const { domain, ...crawl } = await crawlOf(paths, { delayMs: 1000, delayFactor: 0 });
    expect((await crawl.result()).totals.fetched).toBe(2);
    expect(leastGapMs(rig.web.requests(domain))).toBeGreaterThanOrEqual(1000);
  });

  it.concurrent.each([429, 503])('a host that is busy (%i) costs no page', async (status) => {
    let refused = 0;
    const busy = (page: Answer) => (): Answer =>
      (refused += 1) <= 2 ? { status, headers: { 'retry-after': '1' } } : page;
    // Twice in a row is more than one further try.
    const crawl = await crawlOf({ '/': busy(['/a']), '/a': busy('x') }, { retries: 1 });
    expect((await crawl.result()).totals).toMatchObject({ fetched: 2, retries: 2, failed: 0 });
  });

  it.concurrent('more refused seeds than a message holds are counted', async () => {
    const domain = newDomain();
    const bad = Array.from({ length: 30_000 }, (_unused, n) => `no URL ${n}`);
    const crawl = await rig.crawl({ seeds: [rig.web.host(domain, { '/': 'x' }), ...bad] });
    const { totals, refusedSeeds } = await crawl.result();
    expect(totals.fetched).toBe(1);
    const named = refusedSeeds.length - 1;
    expect(named).toBeGreaterThan(5000);
    expect(refusedSeeds.at(-1)!.seed).toBe(`(${bad.length - named} more)`);
  });
});
