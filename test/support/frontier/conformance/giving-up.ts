/** Conformance: a host that is given up, a crawl that is done, recounted, changed. */
import { describe, expect, it } from 'vitest';
import { discovered, discoveredMany } from '../builders.js';
import {
  askNextHosts,
  HostRun,
  leasedUrl,
  nominated,
  openCrawl,
  workOff,
  type BackEnd,
} from '../drive.js';
import { crawlSettings } from '../builders.js';

const HOST = 'a.example.com';

export function givingUpConformance(backEnd: BackEnd): void {
  describe('blocked hosts', () => {
    it('drains in bounded steps, each of which may be repeated', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls([
        ...discoveredMany(HOST, 5),
        discovered(HOST, 'other-level', { level: 50 }),
        discovered(HOST, 'robots-map', { level: 60, kind: 'sitemap' }),
      ]);
      await nominated(frontier);
      const run = new HostRun(frontier, HOST);
      const url = leasedUrl(await run.lease());
      await run.complete(url, 'retrying', { dueInMs: 3_600_000 });
      expect(await run.lease({ block: 'NXDOMAIN' })).toMatchObject({ status: 'blocked' });
      const drained: string[] = [];
      let items = await frontier.drainHost(run.claim, [], 3);
      while (items.length > 0) {
        expect(items.length).toBeLessThanOrEqual(3);
        drained.push(...items.map((item) => item.url));
        const next = await frontier.drainHost(run.claim, items, 3);
        expect(await frontier.drainHost(run.claim, items, 3)).toEqual(next);
        items = next;
      }
      expect(new Set(drained).size).toBe(7);
      expect(drained).toHaveLength(7);
      expect((await frontier.status()).totals).toMatchObject({
        ...{ failed: 6, sitemaps: 1, outstanding: 0, leased: 0, deadLetters: 7, runningHosts: 0 },
      });
      const letters = await frontier.deadLetters({ offset: 0, limit: 10 });
      expect(letters.map((letter) => letter.url)).toEqual(drained);
      expect(new Set(letters.map((letter) => letter.reason))).toEqual(new Set(['NXDOMAIN']));
      expect((await frontier.hosts({ limit: 1 }))[0]).toMatchObject({
        state: 'blocked',
        failed: 6,
      });
    });

    it('knows confirmed items by their address alone, as they come back from a history', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 2));
      const run = new HostRun(frontier, HOST);
      await run.lease({ block: 'gone' });
      const items = await frontier.drainHost(run.claim, [], 10);
      const plain = items.map(({ url, kind, depth, hops, via, attempts }) => ({
        ...{ url, kind, depth, hops, via, attempts },
      }));
      expect(await frontier.drainHost(run.claim, plain, 10)).toEqual([]);
      expect((await frontier.status()).totals).toMatchObject({ failed: 2, outstanding: 0 });
    });

    it('blocks with the last completion and drains from the next turn', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 3));
      await nominated(frontier);
      const run = new HostRun(frontier, HOST);
      const url = leasedUrl(await run.lease());
      const step = { block: 'hostPatience', lease: false };
      expect(await run.complete(url, 'failed', { deadLetter: true }, step)).toMatchObject({
        status: 'done',
      });
      const next = new HostRun(frontier, HOST, { turn: 2 });
      expect(await next.lease()).toMatchObject({ status: 'blocked', reason: 'hostPatience' });
    });

    it('returns a lease to the queue before it drains', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 2));
      const run = new HostRun(frontier, HOST);
      await run.lease();
      await run.lease({ block: 'gone', lease: false });
      const items = await frontier.drainHost(run.claim, [], 10);
      expect(items).toHaveLength(2);
      await frontier.drainHost(run.claim, items, 10);
      expect((await frontier.status()).totals).toMatchObject({
        leased: 0,
        outstanding: 0,
        failed: 2,
      });
    });

    it('gives a host another chance when its dead letters are requeued, also amid a drain', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 4));
      await nominated(frontier);
      const run = new HostRun(frontier, HOST);
      await run.lease({ block: 'gone' });
      const items = await frontier.drainHost(run.claim, [], 2);
      await frontier.drainHost(run.claim, items, 2);
      expect(await frontier.requeueDeadLetters(100)).toBe(2);
      expect(await frontier.drainHost(run.claim, [], 2)).toEqual([]);
      expect(await workOff(frontier, { turn: 2 })).toHaveLength(4);
      expect((await frontier.status()).totals).toMatchObject({
        failed: 0,
        fetched: 4,
        outstanding: 0,
      });
    });
  });

  describe('done, recounted, changed', () => {
    it('is done when nothing is outstanding, and not before', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 1));
      expect(await askNextHosts(frontier)).toMatchObject({ isDone: false });
      const run = new HostRun(frontier, HOST);
      const url = leasedUrl(await run.lease());
      expect(await askNextHosts(frontier)).toMatchObject({ isDone: false });
      await frontier.addUrls([discovered('b.example.com', 'out-link')]);
      await run.complete(url);
      expect(await askNextHosts(frontier)).toMatchObject({ isDone: false });
      await new HostRun(frontier, 'b.example.com').work();
      expect(await askNextHosts(frontier)).toMatchObject({ isDone: true, needsRecount: false });
    });

    it('recounts a sound crawl without changing its totals', async () => {
      const frontier = await openCrawl(backEnd, { perHostLimit: 1 });
      await frontier.addUrls([...discoveredMany(HOST, 3), ...discoveredMany('b.example.com', 2)]);
      await new HostRun(frontier, HOST).work();
      const before = (await frontier.status()).totals;
      await frontier.recount();
      expect((await frontier.status()).totals).toEqual(before);
    });

    it('raises the version with every change and tells it in every reply', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 1));
      const { version } = await frontier.status();
      const next = await frontier.adjust({ delayMs: 5 });
      expect(next).toBeGreaterThan(version);
      expect(await new HostRun(frontier, HOST).lease()).toMatchObject({ version: next });
      expect(await frontier.settings(next)).toMatchObject({ delayMs: 5 });
      expect(await askNextHosts(frontier)).toMatchObject({ version: next });
      const paused = await frontier.setState('paused');
      expect(paused).toBeGreaterThan(next);
      expect(await frontier.setState('paused')).toBe(paused);
    });

    it('applies changes that are made at the same time, all of them', async () => {
      const frontier = await openCrawl(backEnd);
      const other = backEnd.make(frontier.crawlId);
      await Promise.all([
        frontier.adjust({ delayMs: 5 }),
        other.adjust({ maxPages: 7 }),
        frontier.adjust({ retries: 9 }),
      ]);
      const { settings } = await other.status();
      expect(settings).toMatchObject({ delayMs: 5, maxPages: 7, retries: 9 });
    });

    it('refuses a move that makes no sense, by name', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.setState('cancelled', 'cancelled');
      await expect(frontier.setState('paused')).rejects.toMatchObject({
        code: 'FRONTIER_CRAWL_STATE',
        message: expect.stringMatching(/is cancelled and can't become paused/) as string,
      });
      expect(await frontier.status()).toMatchObject({
        state: 'cancelled',
        finishReason: 'cancelled',
      });
    });

    it('makes a crawl once: the same request again is fine, another is refused', async () => {
      const frontier = await openCrawl(backEnd);
      const crawl = {
        settings: crawlSettings({ dedupe: backEnd.dedupe }),
        seeds: ['https://x.example/'],
      };
      const twin = backEnd.make(`${frontier.crawlId}-twin`);
      await twin.create(crawl, 'one');
      await twin.create(crawl, 'one');
      await expect(twin.create(crawl, 'two')).rejects.toMatchObject({
        code: 'FRONTIER_CRAWL_EXISTS',
      });
      expect((await twin.status()).seeds).toEqual(crawl.seeds);
    });

    it('says so when there is no such crawl', async () => {
      const none = backEnd.make('no-such-crawl');
      const notFound = { code: 'FRONTIER_CRAWL_NOT_FOUND' };
      await expect(none.status()).rejects.toMatchObject(notFound);
      await expect(none.settings(1)).rejects.toMatchObject(notFound);
      await expect(none.addUrls([discovered(HOST, '')])).rejects.toMatchObject(notFound);
      await expect(askNextHosts(none)).rejects.toMatchObject(notFound);
      await expect(none.setState('paused')).rejects.toMatchObject(notFound);
      await expect(none.adjust({ delayMs: 1 })).rejects.toMatchObject(notFound);
      await expect(none.recount()).rejects.toMatchObject(notFound);
      await expect(none.requeueDeadLetters(1)).rejects.toMatchObject(notFound);
      expect(await new HostRun(none, HOST).lease()).toMatchObject({ status: 'stopped' });
      expect(await none.hosts({ limit: 5 })).toEqual([]);
    });
  });
}
