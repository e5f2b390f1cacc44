import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shardKeys } from '../../../src/frontier/keys.js';
import { crawlSettings } from '../../support/frontier/builders.js';
import { HostRun, leasedUrl, nominated } from '../../support/frontier/drive.js';
import { crawlToExplain, type CrawlToExplain } from './crawl-to-explain.js';

let crawl: CrawlToExplain;

beforeEach(async () => {
  crawl = await crawlToExplain();
});

afterEach(async () => {
  await crawl.dispose();
});

const many = (count: number, level: number) =>
  Array.from({ length: count }, (_unused, n) =>
    crawl.found(`https://a.test/${String(level)}/${String(n)}`, { level }),
  );

describe('a queued URL', () => {
  it('is told with its place in the queue of its host, sooner levels counted', async () => {
    await crawl.frontier.addUrls([...many(1500, 1), ...many(1200, 7)]);
    const { facts, verdict } = await crawl.explain('https://a.test/7/1100');
    expect(verdict.name).toBe('queued');
    expect(verdict.sentence).toContain('It is queued, number 2,601 of its host');
    expect(verdict.sentence).toContain('its host a.test waits for its turn');
    expect(facts.page.place).toMatchObject({
      where: 'queued',
      position: 2601,
      item: { level: 7, depth: 2, attempts: 0, via: 'https://a.test/list' },
    });
  });

  it('is found under every spelling that the crawl takes for it', async () => {
    await crawl.frontier.addUrls([crawl.found('https://a.test/docs/?utm_source=mail')]);
    const { facts, verdict } = await crawl.explain(' HTTPS://A.test:443/./docs#part ');
    expect(verdict.name).toBe('queued');
    expect(facts.page.place?.item.url).toBe('https://a.test/docs/?utm_source=mail');
    expect(facts).toMatchObject({ canonical: 'https://a.test/docs', hostKey: 'a.test' });
  });

  it('is told not to be found when the look ends before its place', async () => {
    await crawl.frontier.addUrls(many(3000, 1));
    const { facts, verdict } = await crawl.explain('https://a.test/1/2999', { maxScanned: 1000 });
    expect(verdict.name).toBe('seen');
    expect(verdict.sentence).toContain('a look ends before the end of queue');
    expect(facts.cutShort).toEqual(['queue']);
    const all = await crawl.explain('https://a.test/1/2999', { maxScanned: 3000 });
    expect(all.facts.cutShort).toEqual([]);
    expect(all.verdict.name).toBe('queued');
  });

  it('says that the crawl is paused, or over', async () => {
    await crawl.frontier.addUrls(many(1, 1));
    await crawl.frontier.setState('paused');
    const paused = await crawl.explain('https://a.test/1/0');
    expect(paused.verdict.sentence).toBe(
      'It is queued, number 1 of its host; the crawl is paused.',
    );
    await crawl.frontier.setState('stopping', 'pageLimit');
    await crawl.frontier.setState('finished', 'pageLimit');
    const over = await crawl.explain('https://a.test/1/0');
    expect(over.verdict.sentence).toContain(
      'the crawl is finished (pageLimit), and resume goes on',
    );
  });

  it('says that its host waits, why, and until when', async () => {
    await crawl.frontier.addUrls(many(2, 1));
    await nominated(crawl.frontier);
    const run = new HostRun(crawl.frontier, 'a.test');
    await run.lease({ wait: { waitMs: 90_000, reason: 'Retry-After' } });
    const { facts, verdict } = await crawl.explain('https://a.test/1/1');
    expect(verdict.sentence).toMatch(
      /its host a\.test waits: Retry-After, next fetch in 1m 30s\.$/,
    );
    expect(facts.host).toMatchObject({ state: 'waiting', reason: 'Retry-After', queued: 1 });
  });

  it('says that its host has reached its limit', async () => {
    await crawl.dispose();
    crawl = await crawlToExplain({ perHostLimit: 1 });
    await crawl.frontier.addUrls(many(2, 1));
    await nominated(crawl.frontier);
    await new HostRun(crawl.frontier, 'a.test').work();
    const { verdict } = await crawl.explain('https://a.test/1/1');
    expect(verdict).toMatchObject({ name: 'queued' });
    expect(verdict.sentence).toContain('has reached its limit of 1 pages (--per-host-limit');
  });
});

describe('a URL that is under way', () => {
  it('is told to be leased', async () => {
    await crawl.frontier.addUrls(many(2, 1));
    await nominated(crawl.frontier);
    const url = leasedUrl(await new HostRun(crawl.frontier, 'a.test').lease());
    const { facts, verdict } = await crawl.explain(url);
    expect(verdict.name).toBe('leased');
    expect(verdict.sentence).toContain('its host a.test is being fetched');
    expect(facts.page.place).toMatchObject({ where: 'leased', item: { url } });
  });

  it('is told to wait for another try, and when that is due', async () => {
    await crawl.frontier.addUrls(many(1, 1));
    await nominated(crawl.frontier);
    const run = new HostRun(crawl.frontier, 'a.test');
    const url = leasedUrl(await run.lease());
    await run.complete(url, 'retrying', { reason: 'HTTP 500', dueInMs: 600_000 });
    const { facts, verdict } = await crawl.explain(url);
    expect(verdict.name).toBe('retry');
    expect(verdict.sentence).toMatch(/^Its try 1 failed, and it is tried again in (10m|9m 59s);/);
    expect(facts.page.place).toMatchObject({ where: 'retry', item: { attempts: 1 } });
  });

  it('is told to be given up, with the reason and what to do', async () => {
    await crawl.frontier.addUrls(many(1, 1));
    await nominated(crawl.frontier);
    const run = new HostRun(crawl.frontier, 'a.test');
    const url = leasedUrl(await run.lease());
    await run.complete(url, 'failed', { reason: 'HTTP 500', deadLetter: true });
    const { facts, verdict } = await crawl.explain(url);
    expect(verdict.name).toBe('deadLetter');
    expect(verdict.sentence).toBe(
      'It was given up: HTTP 500; the site has a fault; resume later. ' +
        `orbweaver dead-letters ${crawl.crawlId} --requeue queues it again.`,
    );
    expect(facts.page.place).toMatchObject({ where: 'deadLetter', reason: 'HTTP 500' });
  });

  it('is told to be held back as a trap, by which rule', async () => {
    const { fingerprint, url, ...item } = crawl.found('https://a.test/x/x/x/x/x/');
    const packed = ['p', item.depth, 0, item.hops, item.level, item.via, url].join('\t');
    const value = `repeatedPath\ta.test\ta.test\t${packed}`;
    await crawl.redis.hset(shardKeys(crawl.crawlId).trapped, fingerprint, value);
    const { facts, verdict } = await crawl.explain('https://a.test/x/x/x/x/x');
    expect(verdict.name).toBe('trapped');
    expect(verdict.sentence).toContain('held back as a crawl trap by the rule repeatedPath');
    expect(facts.page.trapped?.item).toMatchObject({ url, depth: 2 });
  });
});

describe('an address that is a sitemap too', () => {
  it('is explained as a sitemap where it was never met as a page', async () => {
    await crawl.frontier.addUrls([crawl.found('https://a.test/map.xml', { kind: 'sitemap' })]);
    const { facts, verdict } = await crawl.explain('https://a.test/map.xml');
    expect(verdict.name).toBe('queued');
    expect(verdict.sentence).toMatch(/^As a page it was never met; as a sitemap: it is queued, /);
    expect(facts.page).toMatchObject({ isSeen: false, place: null });
    await crawl.frontier.addUrls([crawl.found('https://a.test/map.xml')]);
    const both = await crawl.explain('https://a.test/map.xml');
    expect(both.verdict.sentence).toMatch(/^It is queued, number 2 /);
    expect(both.facts.sitemap.place).toMatchObject({ where: 'queued', position: 1 });
  });
});

describe('hosts that the canonical form merges', () => {
  it('are both looked through', async () => {
    await crawl.dispose();
    const { canonical } = crawlSettings();
    crawl = await crawlToExplain({ canonical: { ...canonical, www: true } });
    await crawl.frontier.addUrls([crawl.found('https://www.a.test/p')]);
    const { facts, verdict } = await crawl.explain('https://a.test/p');
    expect(verdict.name).toBe('queued');
    expect(facts.hostKey).toBe('www.a.test');
  });
});
