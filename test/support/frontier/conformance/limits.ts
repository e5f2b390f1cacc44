/** Conformance: quotas and limits act before the seen test and in the step that leases. */
import { describe, expect, it } from 'vitest';
import type { AdjustableSettings } from '../../../../src/contracts/settings.js';
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

const HOST = 'a.example.com';

export function limitsConformance(backEnd: BackEnd): void {
  describe('limits (Q1)', () => {
    it('holds back hosts beyond the quota of their domain, and takes the URL when the quota allows it', async () => {
      const frontier = await openCrawl(backEnd, { maxHostsPerDomain: 2 });
      const offered = ['a', 'b', 'c'].map((name) => discovered(`${name}.example.com`, ''));
      const other = discovered('a.example.org', '');
      expect(await frontier.addUrls([...offered, other])).toEqual({
        added: 3,
        seen: 0,
        held: 1,
        unlisted: 0,
      });
      const again = { added: 0, seen: 2, held: 1, unlisted: 0 };
      expect(await frontier.addUrls(offered)).toEqual(again);
      const larger = { maxHostsPerDomain: 3 } as Partial<AdjustableSettings>;
      await frontier.adjust(larger);
      expect(await frontier.addUrls(offered)).toEqual({
        ...again,
        ...{ added: 1, held: 0 },
      });
      expect((await frontier.status()).totals).toMatchObject({ hosts: 4, discovered: 4 });
    });

    it('never stores more than maxPages with many hosts at once, and a larger limit goes on', async () => {
      const frontier = await openCrawl(backEnd, { maxPages: 37 });
      const hosts = Array.from({ length: 12 }, (_unused, n) => `h${n}.example.com`);
      await frontier.addUrls(hosts.flatMap((host) => discoveredMany(host, 10)));
      const fetchAll = async (turn: number) => {
        const named = await nominated(frontier);
        const runs = await Promise.all(
          named.map((host) => new HostRun(backEnd.make(frontier.crawlId), host, { turn }).work()),
        );
        return runs.flatMap((run) => run.urls);
      };
      const first = await fetchAll(1);
      expect(first).toHaveLength(37);
      expect(await frontier.status()).toMatchObject({
        state: 'stopping',
        finishReason: 'pageLimit',
        totals: { fetched: 37, leased: 0, outstanding: 83 },
      });
      await frontier.setState('finished');
      expect((await frontier.status()).finishReason).toBe('pageLimit');
      await frontier.adjust({ maxPages: null });
      await frontier.setState('running');
      await frontier.reopen({ limit: 100, overdue: true });
      const rest = await fetchAll(2);
      expect(new Set([...first, ...rest]).size).toBe(120);
      expect((await frontier.status()).totals).toMatchObject({ fetched: 120, outstanding: 0 });
    });

    it('lets other hosts wait while the last pages under the limit are in flight', async () => {
      const frontier = await openCrawl(backEnd, { maxPages: 1 });
      await frontier.addUrls([discovered('a.example.com', ''), discovered('b.example.com', '')]);
      await nominated(frontier);
      const [a, b] = ['a', 'b'].map((name) => new HostRun(frontier, `${name}.example.com`));
      const url = leasedUrl(await a!.lease());
      expect(await b!.lease()).toMatchObject({ status: 'wait', waitMs: 1000 });
      // Not a stored page: the other host's turn.
      expect(await a!.complete(url, 'failed', { reason: 'FETCH_TLS' })).toMatchObject({
        status: 'idle',
      });
      expect(leasedUrl(await b!.lease())).toMatch(/b\.example/);
    });

    it('does not count sitemaps as pages', async () => {
      const frontier = await openCrawl(backEnd, { maxPages: 1 });
      await frontier.addUrls([discovered(HOST, 's', { kind: 'sitemap' }), discovered(HOST, 'p')]);
      const { urls, last } = await new HostRun(frontier, HOST).work();
      expect(urls).toHaveLength(2);
      expect(last).toMatchObject({ status: 'stopped', state: 'stopping' });
    });

    it('holds the rest of a host at perHostLimit, and ends without it', async () => {
      const frontier = await openCrawl(backEnd, { perHostLimit: 2 });
      await frontier.addUrls([...discoveredMany(HOST, 5), discovered('b.example.com', '')]);
      expect(await workOff(frontier)).toHaveLength(3);
      expect((await frontier.status()).totals).toMatchObject({
        held: 3,
        outstanding: 0,
        fetched: 3,
      });
      expect(await askNextHosts(frontier)).toMatchObject({ isDone: true, needsRecount: false });
      // Whoever looks again, in whatever state of the crawl, changes no counter.
      const run = new HostRun(frontier, HOST, { turn: 2 });
      expect(await run.lease()).toMatchObject({ status: 'exhausted' });
      expect(await run.lease()).toMatchObject({ status: 'exhausted' });
      await frontier.setState('paused');
      expect(await run.lease()).toMatchObject({ status: 'paused' });
      await frontier.setState('running');
      await frontier.addUrls([discovered(HOST, 'late')]);
      expect((await frontier.status()).totals).toMatchObject({ held: 4, outstanding: 0 });
      expect(await nominated(frontier)).toEqual([]);
      expect((await frontier.hosts({ limit: 1 }))[0]).toMatchObject({
        state: 'exhausted',
        queued: 4,
      });
    });

    it('goes on with held URLs under a larger perHostLimit', async () => {
      const frontier = await openCrawl(backEnd, { perHostLimit: 2 });
      await frontier.addUrls(discoveredMany(HOST, 5));
      await workOff(frontier);
      await frontier.adjust({ perHostLimit: 3 });
      expect(await frontier.reopen({ limit: 10, overdue: false })).toBeNull();
      expect((await frontier.status()).totals).toMatchObject({ held: 0, outstanding: 3 });
      expect(await workOff(frontier, { turn: 2 })).toHaveLength(1);
      await frontier.adjust({ perHostLimit: null });
      // A URL that comes now finds the host open again.
      await frontier.addUrls([discovered(HOST, 'late')]);
      expect(await workOff(frontier, { turn: 3 })).toHaveLength(3);
      expect((await frontier.status()).totals).toMatchObject({
        held: 0,
        outstanding: 0,
        fetched: 6,
      });
    });

    it('holds a requeued dead letter of an exhausted host', async () => {
      const frontier = await openCrawl(backEnd, { perHostLimit: 1 });
      await frontier.addUrls(discoveredMany(HOST, 3));
      await nominated(frontier);
      const run = new HostRun(frontier, HOST);
      const bad = leasedUrl(await run.lease());
      const good = leasedUrl(await run.complete(bad, 'failed', { deadLetter: true }));
      expect(await run.complete(good)).toMatchObject({ status: 'exhausted' });
      expect(await frontier.requeueDeadLetters(5)).toBe(1);
      expect((await frontier.status()).totals).toMatchObject({
        held: 2,
        outstanding: 0,
        failed: 0,
      });
    });

    it('stops at maxDuration, and goes on under a larger one', async () => {
      const frontier = await openCrawl(backEnd, { maxDurationMs: 1 });
      await frontier.addUrls(discoveredMany(HOST, 2));
      const over = { state: 'stopping', finishReason: 'maxDuration' };
      await expect.poll(() => askNextHosts(frontier)).toMatchObject(over);
      await frontier.setState('finished');
      await frontier.adjust({ maxDurationMs: 600_000 });
      await frontier.setState('running');
      await frontier.reopen({ limit: 10, overdue: true });
      expect(await workOff(frontier)).toHaveLength(2);
    });

    it('does not let a pause use maxDuration up, nor a change of something else renew it', async () => {
      const frontier = await openCrawl(backEnd, { maxDurationMs: 400 });
      await frontier.addUrls(discoveredMany(HOST, 2));
      await frontier.setState('paused');
      const pausedAtMs = Date.now();
      await expect.poll(() => Date.now() - pausedAtMs).toBeGreaterThan(500);
      await frontier.setState('running');
      expect(await askNextHosts(frontier)).toMatchObject({ state: 'running' });
      await expect
        .poll(async () => {
          await frontier.adjust({ delayMs: 1 });
          return askNextHosts(frontier);
        })
        .toMatchObject({ state: 'stopping', finishReason: 'maxDuration' });
    });
  });
}
