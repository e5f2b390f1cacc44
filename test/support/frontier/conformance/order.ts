/** Conformance: the order of a host's URLs, retries, dead letters (Q1, F1). */
import { describe, expect, it } from 'vitest';
import { discovered, discoveredMany } from '../builders.js';
import {
  HostRun,
  leasedUrl,
  nominated,
  openCrawl,
  until,
  workOff,
  type BackEnd,
} from '../drive.js';

const HOST = 'a.example.com';
const paths = (urls: readonly string[]) => urls.map((url) => new URL(url).pathname);

export function orderConformance(backEnd: BackEnd): void {
  describe('order and retries (Q1, F1)', () => {
    it('leases lower levels first, and within a level what came first', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls([
        discovered(HOST, 'late', { level: 255 }),
        discovered(HOST, 'mid1', { level: 20 }),
        discovered(HOST, 'first', { level: 0 }),
        discovered(HOST, 'mid2', { level: 20 }),
      ]);
      const { urls } = await new HostRun(frontier, HOST).work();
      expect(paths(urls)).toEqual(['/first', '/mid1', '/mid2', '/late']);
    });

    it('takes a better URL that comes later before the ones that wait', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls([discovered(HOST, 'one'), discovered(HOST, 'two')]);
      const run = new HostRun(frontier, HOST);
      const one = leasedUrl(await run.lease());
      await frontier.addUrls([discovered(HOST, 'urgent', { level: 1 })]);
      expect(leasedUrl(await run.complete(one))).toMatch(/urgent$/);
    });

    it('returns a released URL to the front as it was', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 3));
      const run = new HostRun(frontier, HOST);
      const first = leasedUrl(await run.lease());
      const reply = await run.complete(first, 'released');
      expect(reply).toMatchObject({
        status: 'lease',
        item: { url: first, attempts: 0 },
        queued: 2,
      });
      expect((await frontier.status()).totals).toMatchObject({ outstanding: 3, leased: 1 });
    });

    it('gives others their turn while a retry is not due, then leases it with one attempt more', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 2));
      const run = new HostRun(frontier, HOST);
      const first = leasedUrl(await run.lease());
      const second = leasedUrl(await run.complete(first, 'retrying', { dueInMs: 700 }));
      expect(second).not.toBe(first);
      const wait = await run.complete(second);
      expect(wait).toMatchObject({ status: 'wait', reason: 'retry' });
      expect(wait.status === 'wait' && wait.waitMs).toBeLessThanOrEqual(700);
      const again = await until(async () => {
        const reply = await run.lease();
        return reply.status === 'lease' && reply;
      });
      expect(again.item).toMatchObject({ url: first, attempts: 1 });
      expect(await run.complete(first)).toMatchObject({ status: 'idle' });
      expect((await frontier.status()).totals).toMatchObject({ fetched: 2, retries: 1, leased: 0 });
    });

    it('takes a retry without a time as due at once, and whole milliseconds of any other', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 1));
      const run = new HostRun(frontier, HOST);
      const url = leasedUrl(await run.lease());
      expect(leasedUrl(await run.complete(url, 'retrying'))).toBe(url);
      await expect(run.complete(url, 'retrying', { dueInMs: Number.NaN })).rejects.toMatchObject({
        code: 'CONFIG_INVALID_OPTION',
      });
      expect(await run.complete(url, 'retrying', { dueInMs: 60_000.5 })).toMatchObject({
        status: 'wait',
      });
    });

    it('counts outcomes, bytes, skips and rejected links', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls([
        ...discoveredMany(HOST, 6),
        discovered(HOST, 'sitemap.xml', { kind: 'sitemap', level: 0 }),
      ]);
      const run = new HostRun(frontier, HOST);
      let url = leasedUrl(await run.lease());
      url = leasedUrl(await run.complete(url, 'fetched'));
      const outcomes = [
        ['fetched', { bytes: 10.2, rejected: { depth: 3 } }],
        ['redirected', {}],
        ['notModified', {}],
        ['duplicate', { bytes: 5 }],
        ['skipped', { reason: 'robotsTxt' }],
      ] as const;
      for (const [outcome, more] of outcomes)
        url = leasedUrl(await run.complete(url, outcome, more));
      expect(await run.complete(url, 'failed', { reason: 'FETCH_TLS' })).toMatchObject({
        status: 'idle',
      });
      expect((await frontier.status()).totals).toMatchObject({
        discovered: 6,
        sitemaps: 1,
        outstanding: 0,
        leased: 0,
        ...{ fetched: 1, redirected: 1, notModified: 1, duplicate: 1, skipped: 1, failed: 1 },
        bytes: 16,
        skips: { robotsTxt: 1 },
        rejected: { depth: 3 },
        deadLetters: 0,
      });
      expect(await frontier.hosts({ limit: 10 })).toMatchObject([
        { hostKey: HOST, state: 'idle', queued: 0, fetched: 1, failed: 1, bytes: 16 },
      ]);
    });

    it('lists dead letters and requeues them, fresh', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls([discovered(HOST, 'x', { attempts: 2 }), discovered(HOST, 'y')]);
      await nominated(frontier);
      const run = new HostRun(frontier, HOST);
      const x = leasedUrl(await run.lease());
      const y = leasedUrl(
        await run.complete(x, 'failed', { reason: 'FETCH_RESET', deadLetter: true }),
      );
      await run.complete(y, 'failed', { reason: 'FETCH_TLS', deadLetter: true });
      const letters = await frontier.deadLetters({ offset: 0, limit: 1 });
      expect(letters).toMatchObject([{ url: x, attempts: 2, reason: 'FETCH_RESET' }]);
      expect(await frontier.deadLetters({ offset: 2, limit: 10 })).toEqual([]);
      expect(await frontier.requeueDeadLetters(1)).toBe(1);
      expect((await frontier.status()).totals).toMatchObject({
        ...{ failed: 1, outstanding: 1, deadLetters: 1, discovered: 2 },
      });
      expect(await workOff(frontier, { turn: 2 })).toEqual([x]);
      expect(await frontier.requeueDeadLetters(10)).toBe(1);
      expect(await frontier.requeueDeadLetters(10)).toBe(0);
      expect(await workOff(frontier, { turn: 3 })).toEqual([y]);
      expect((await frontier.status()).totals).toMatchObject({
        failed: 0,
        fetched: 2,
        deadLetters: 0,
      });
    });
  });
}
