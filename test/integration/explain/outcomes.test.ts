import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SinkRecord } from '../../../src/contracts/urls.js';
import { sitemapPrintOf } from '../../../src/activities/sitemap-trust.js';
import { addScopeRoots } from '../../../src/frontier/scope-roots.js';
import { crawlSettings, owner } from '../../support/frontier/builders.js';
import { HostRun, nominated } from '../../support/frontier/drive.js';
import { crawlToExplain, type CrawlToExplain } from './crawl-to-explain.js';

let crawl: CrawlToExplain;

beforeEach(async () => {
  crawl = await crawlToExplain();
});

afterEach(async () => {
  await crawl.dispose();
});

const PAGE = 'https://a.test/page';

/** Queue a page and complete it. */
async function complete(url = PAGE): Promise<void> {
  await crawl.frontier.addUrls([crawl.found(url)]);
  await nominated(crawl.frontier);
  await new HostRun(crawl.frontier, 'a.test').work();
}

const robotsOf = (text: string | null, access: 'parse' | 'allowAll' | 'disallowAll' = 'parse') => ({
  access,
  body: text === null ? null : Buffer.from(text).toString('base64'),
  url: 'https://a.test/robots.txt',
  expiresAtMs: Date.now() + 60_000,
  failures: access === 'disallowAll' ? 1 : 0,
});

describe('a URL with an outcome', () => {
  it.each<[Partial<SinkRecord>, string]>([
    [{}, 'It was fetched at 2026-03-04T05:06:07.000Z and is in the output.'],
    [
      { outcome: 'notModified', status: 304 },
      'It was asked for at 2026-03-04T05:06:07.000Z and had not changed.',
    ],
    [
      { outcome: 'duplicate' },
      'It was fetched at 2026-03-04T05:06:07.000Z and is a copy of another page.',
    ],
    [
      { outcome: 'redirected', status: 301, finalUrl: 'https://a.test/new' },
      'It redirects to https://a.test/new, which is a URL of its own: explain that.',
    ],
    [{ outcome: 'skipped', reason: 'tooLarge' }, 'It was left out: tooLarge; raise --max-bytes.'],
    [
      { outcome: 'failed', reason: 'HTTP 404', status: 404 },
      'It failed: HTTP 404; there is no such page; check the address.',
    ],
  ])('is told by its record: %j', async (changes, sentence) => {
    await complete();
    await crawl.record(PAGE, changes);
    const { facts, verdict } = await crawl.explain(PAGE);
    expect(verdict).toEqual({ name: changes.outcome ?? 'fetched', sentence });
    expect(facts.page).toMatchObject({ isSeen: true, place: null, record: { url: PAGE } });
  });

  it('is told by the last of several records', async () => {
    await complete();
    await crawl.record(PAGE, { outcome: 'failed', reason: 'HTTP 500', turn: 2 });
    await crawl.record(PAGE, { turn: 3 });
    await crawl.record(PAGE, { outcome: 'skipped', reason: 'tooLarge', turn: 1 });
    expect((await crawl.explain(PAGE)).verdict.name).toBe('fetched');
    await crawl.record(PAGE, { outcome: 'skipped', reason: 'tooLarge', owner: owner(9), turn: 1 });
    expect((await crawl.explain(PAGE)).verdict.name).toBe('skipped');
  });

  it('is told with the line of robots.txt that forbade it', async () => {
    await complete();
    await crawl.robots.write('https://a.test', robotsOf('User-agent: *\nDisallow: /pa\n'));
    await crawl.record(PAGE, { outcome: 'skipped', reason: 'robotsTxt', status: null });
    const { verdict } = await crawl.explain(PAGE);
    expect(verdict.sentence).toMatch(/^It was left out: robotsTxt by the line "disallow: \/pa"; /i);
  });

  it('is told with the URLs that redirect to it', async () => {
    await complete();
    await crawl.record(PAGE);
    await crawl.record('https://a.test/old', { outcome: 'redirected', finalUrl: `${PAGE}/` });
    const { facts } = await crawl.explain(PAGE);
    expect(facts.redirectedFrom).toEqual(['https://a.test/old']);
  });

  it('is queued again when it is, whatever the output says', async () => {
    await crawl.frontier.addUrls([crawl.found(PAGE)]);
    await crawl.record(PAGE, { outcome: 'failed', reason: 'HTTP 500' });
    expect((await crawl.explain(PAGE)).verdict.name).toBe('queued');
  });
});

describe('a sitemap that another site names', () => {
  it('is known by the domain that vouches for it', async () => {
    await addScopeRoots(crawl.redis, crawl.crawlId, ['https://a.test/']);
    const item = { url: 'https://maps.b.test/m.xml', via: 'https://a.test/robots.txt' };
    const print = sitemapPrintOf(item, crawlSettings().canonical);
    expect(print).not.toBe(sitemapPrintOf({ ...item, via: '' }, crawlSettings().canonical));
    await crawl.frontier.addUrls([
      crawl.found(item.url, { ...item, kind: 'sitemap', fingerprint: print }),
    ]);
    const queued = await crawl.explain(item.url);
    expect(queued.facts.sitemap).toMatchObject({ fingerprint: print, isSeen: true });
    await nominated(crawl.frontier);
    await new HostRun(crawl.frontier, 'maps.b.test').work();
    await crawl.record(item.url, {
      ...{ kind: 'sitemap', fingerprint: print, links: 7, reason: 'line 3: no URL' },
    });
    const { facts, verdict } = await crawl.explain(item.url);
    expect(facts.sitemap.record).toMatchObject({ fingerprint: print });
    expect(verdict.sentence).toBe(
      'As a page it was never met; as a sitemap: it was read at 2026-03-04T05:06:07.000Z and lists ' +
        '7 URLs; faults: line 3: no URL.',
    );
  });
});

describe('a URL of which nothing is left but that it was seen', () => {
  it('says that the output is not here', async () => {
    await complete();
    const { verdict } = await crawl.explain(PAGE);
    expect(verdict.name).toBe('seen');
    expect(verdict.sentence).toContain('is not on this machine; name its folder with --out');
  });

  it('says that the output is longer than a look goes', async () => {
    await complete();
    await crawl.record('https://a.test/other');
    await crawl.record(PAGE);
    const { facts, verdict } = await crawl.explain(PAGE, { maxOutputBytes: 100 });
    expect(facts.cutShort).toEqual(['output']);
    expect(verdict.name).toBe('seen');
  });

  it('names the price of a Bloom filter, where the crawl has one', async () => {
    await complete();
    await crawl.record('https://a.test/other');
    expect((await crawl.explain(PAGE)).verdict.sentence).not.toContain('Bloom');
    await crawl.dispose();
    crawl = await crawlToExplain({ dedupe: 'bloom' });
    await complete();
    await crawl.record('https://a.test/other');
    const { facts, verdict } = await crawl.explain(PAGE);
    expect(facts.page.isSeen).toBe(true);
    expect(verdict.sentence).toContain('0.000001 of the new URLs');
  });
});

describe('a URL that was never met', () => {
  it('would be queued where nothing keeps it out', async () => {
    const { facts, verdict } = await crawl.explain('https://b.test/');
    expect(verdict.name).toBe('neverMet');
    expect(verdict.sentence).toContain('a link that is not nofollow will queue it');
    expect(facts).toMatchObject({ host: null, robots: { verdict: 'notAsked' } });
  });

  it('is told how far from a seed it may be', async () => {
    await crawl.dispose();
    crawl = await crawlToExplain({ maxDepth: 3, robots: 'ignore' });
    const { facts, verdict } = await crawl.explain('https://b.test/');
    expect(verdict.sentence).toContain(
      'a link, at most 3 links away from a seed (--depth) will queue it',
    );
    expect(facts.robots.verdict).toBe('ignored');
  });

  it.each([
    [{ scope: 'host' }, 'https://b.a.test/', 'scope host: b.a.test'],
    [{ scope: 'domain' }, 'https://b.test/', 'scope domain: b.test'],
    [{ exclude: ['*/private/*'] }, 'https://a.test/private/x', 'exclude */private/*'],
    [{ include: ['*/docs/*'] }, 'https://a.test/news/x', 'include: matches none of */docs/*'],
  ] as const)('is kept out by %j', async (changes, url, rule) => {
    await crawl.dispose();
    crawl = await crawlToExplain(changes);
    await addScopeRoots(crawl.redis, crawl.crawlId, ['https://a.test/']);
    const { facts, verdict } = await crawl.explain(url);
    expect(verdict.name).toBe('outOfScope');
    expect(verdict.sentence).toContain(`would not be: out of scope by ${rule}`);
    expect(facts.scope).toMatchObject({ inScope: false });
    // A seed need not match what is included, and the seed's own host is in scope.
    expect((await crawl.explain('https://a.test/')).facts.scope.inScope).toBe(true);
  });

  it('would be left out by robots.txt, and says by which line', async () => {
    await crawl.robots.write('https://a.test', robotsOf('User-agent: *\nDisallow: /pri*\n'));
    const { facts, verdict } = await crawl.explain('https://a.test/private');
    expect(verdict.name).toBe('robotsTxt');
    expect(verdict.sentence).toMatch(/its robots\.txt forbids it by "disallow: \/pri\*"/i);
    expect(facts.robots.verdict).toBe('forbidden');
    expect((await crawl.explain('https://a.test/open')).facts.robots.verdict).toBe('allowed');
    // Another origin has a file of its own.
    expect((await crawl.explain('http://a.test/private')).facts.robots.verdict).toBe('notAsked');
  });

  it('tells a robots.txt that is missing, out of reach, or an old copy', async () => {
    await crawl.robots.write('https://a.test', robotsOf(null, 'allowAll'));
    expect((await crawl.explain(PAGE)).facts.robots.verdict).toBe('noFile');
    await crawl.robots.write('https://a.test', robotsOf(null, 'disallowAll'));
    expect((await crawl.explain(PAGE)).facts.robots.verdict).toBe('unreachable');
    await crawl.robots.write('https://a.test', robotsOf('', 'disallowAll'));
    expect((await crawl.explain(PAGE)).facts.robots).toMatchObject({
      verdict: 'allowed',
      isOldCopy: true,
    });
  });

  it('is told that its shape looks like a trap, where traps are minded', async () => {
    const url = 'https://a.test/blog/tag/blog/tag/blog/tag/';
    const { facts } = await crawl.explain(url);
    expect(facts.suspicion).toMatchObject({ rule: 'repeatedPath' });
    await crawl.dispose();
    crawl = await crawlToExplain({ traps: false });
    expect((await crawl.explain(url)).facts.suspicion).toBeNull();
  });

  it('is kept out where its domain has all the hosts that it may have', async () => {
    await crawl.dispose();
    crawl = await crawlToExplain({ maxHostsPerDomain: 1 });
    await crawl.frontier.addUrls([crawl.found('https://x.example.com/')]);
    const { verdict } = await crawl.explain('https://y.example.com/');
    expect(verdict).toMatchObject({ name: 'hostLimit' });
    expect(verdict.sentence).toContain('would be held back: example.com has 1 host already');
    expect((await crawl.explain('https://x.example.com/other')).verdict.name).toBe('neverMet');
  });
});
