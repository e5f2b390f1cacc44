/** What is deleted or has expired leaves no key behind; crawls do not touch each other's keys. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  readCrawlIds,
  scheduleExpiry,
  sweepExpired,
} from '../../../src/frontier/crawl-directory.js';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { connectRedis, type Redis } from '../../../src/redis/connection.js';
import { crawlSettings, discovered, discoveredMany } from '../../support/frontier/builders.js';
import { askNextHosts, HostRun, leasedUrl, nominated } from '../../support/frontier/drive.js';
import { dumpState } from '../../support/frontier/state-dump.js';
import { freshRedis } from '../../support/servers.js';

const HOST = 'a.example.com';

describe('clean-up', () => {
  let server: Awaited<ReturnType<typeof freshRedis>>;
  let redis: Redis;
  beforeAll(async () => {
    server = await freshRedis();
    redis = connectRedis(server.url);
  });
  afterAll(async () => {
    redis.disconnect();
    await server.dispose();
  });

  /** A crawl that has something under every kind of key. */
  async function busyCrawl(crawlId: string, keepMs = 60_000): Promise<RedisFrontier> {
    const frontier = new RedisFrontier(redis, crawlId);
    const settings = crawlSettings({ dedupe: 'bloom', perHostLimit: 3, keepMs });
    await frontier.create({ settings, seeds: [] }, randomUUID());
    await frontier.addUrls([
      ...discoveredMany(HOST, 5),
      ...discoveredMany('b.example.com', 3),
      discovered('c.example.com', 'x'),
      discovered('d.example.com', 'x', { level: 200 }),
    ]);
    await nominated(frontier, 2);
    const run = new HostRun(frontier, HOST);
    const first = leasedUrl(await run.lease());
    const second = leasedUrl(await run.complete(first, 'retrying', { dueInMs: 3_600_000 }));
    await run.complete(second, 'failed', { deadLetter: true });
    await new HostRun(frontier, 'c.example.com').work();
    return frontier;
  }

  it('of a deleted crawl leaves no key behind, of others all', async () => {
    const kept = await busyCrawl('kept');
    const before = await dumpState(redis);
    const doomed = await busyCrawl('doomed');
    expect(await readCrawlIds(redis)).toEqual(['doomed', 'kept']);
    await doomed.delete();
    expect(await dumpState(redis)).toEqual(before);
    await doomed.delete();
    await kept.delete();
    expect(await redis.keys('*')).toEqual([]);
  });

  it('is not undone by whoever still works for the crawl', async () => {
    const frontier = await busyCrawl('doomed');
    const run = new HostRun(frontier, HOST);
    const url = leasedUrl(await run.lease());
    await frontier.delete();
    expect(await run.complete(url)).toMatchObject({ status: 'stopped' });
    await frontier.addUrls([discovered(HOST, 'late')]).catch(() => undefined);
    await askNextHosts(frontier).catch(() => undefined);
    await frontier.setState('paused').catch(() => undefined);
    await frontier.adjust({ delayMs: 1 }).catch(() => undefined);
    await frontier.recount().catch(() => undefined);
    await frontier.reopen({ limit: 5, overdue: true }).catch(() => undefined);
    await frontier.requeueDeadLetters(5).catch(() => undefined);
    await frontier.drainHost(run.claim, [], 5);
    expect(await redis.keys('*')).toEqual([]);
  });

  it('of a finished crawl comes after its time, not before, and not when it was resumed', async () => {
    const frontier = await busyCrawl('finished', 60_000);
    await frontier.setState('finished', 'completed');
    expect(await sweepExpired(redis)).toEqual([]);
    await scheduleExpiry(redis, 'finished', -1);
    await frontier.setState('running');
    expect(await sweepExpired(redis)).toEqual([]);
    // Ended before it took the crawl off the list.
    await scheduleExpiry(redis, 'finished', -1);
    expect(await sweepExpired(redis)).toEqual([]);
    expect((await frontier.status()).totals.discovered).toBe(10);
    await frontier.setState('finished', 'completed');
    await scheduleExpiry(redis, 'finished', -1);
    expect(await sweepExpired(redis)).toEqual(['finished']);
    expect(await redis.keys('*')).toEqual([]);
  });

  it('keeps crawls apart whose ids are odd', async () => {
    const ids = [
      'a',
      'a*',
      'a?',
      '[a]',
      'a:0',
      'a}',
      '{a',
      'a:0}:h',
      'a:0}',
      '}',
      'é b\n',
      '%7D',
      '\\',
    ];
    const crawls = new Map<string, RedisFrontier>();
    for (const id of ids) {
      const frontier = new RedisFrontier(redis, id);
      await frontier.create({ settings: crawlSettings(), seeds: [id] }, 'r');
      const url = discovered(HOST, encodeURIComponent(id));
      expect((await frontier.addUrls([url, discovered(HOST, 'same')])).added).toBe(2);
      crawls.set(id, frontier);
    }
    expect((await readCrawlIds(redis)).sort()).toEqual([...ids].sort());
    for (const id of ids) {
      await crawls.get(id)!.delete();
      crawls.delete(id);
      for (const [other, frontier] of crawls) {
        const status = await frontier.status();
        expect(status.seeds, `${other} after ${id}`).toEqual([other]);
        expect(status.totals, `${other} after ${id}`).toMatchObject({ outstanding: 2, hosts: 1 });
        expect((await frontier.hosts({ limit: 5 })).length).toBe(1);
      }
    }
    expect(await redis.keys('*')).toEqual([]);
  });

  it('removes a large crawl in steps', async () => {
    const frontier = new RedisFrontier(redis, 'large');
    await frontier.create({ settings: crawlSettings({ maxHostsPerDomain: 9000 }), seeds: [] }, 'r');
    const urls = Array.from({ length: 3000 }, (_unused, n) => discovered(`h${n}.example.com`, ''));
    await frontier.addUrls(urls);
    await frontier.delete();
    expect(await redis.keys('*')).toEqual([]);
  });
});
