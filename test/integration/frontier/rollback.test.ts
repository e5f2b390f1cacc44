/** A Redis that was set back by some seconds loses no URL (F4, F9). */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { connectRedis, type Redis } from '../../../src/redis/connection.js';
import { auditFrontier } from '../../support/frontier/audit.js';
import { crawlSettings, discovered } from '../../support/frontier/builders.js';
import { askNextHosts, HostRun, leasedUrl } from '../../support/frontier/drive.js';
import { appendedBytes, truncateAppendFile } from '../../support/frontier/rollback.js';
import { freshRedis } from '../../support/servers.js';

const HOSTS = 12;
const PAGES = 60;

/** A site in which page n of a host links to n·2, n·2+1 and to a page of the next host. */
function linksOf(url: string): ReturnType<typeof discovered>[] {
  const { hostname, pathname } = new URL(url);
  const [host, page] = [Number(hostname.slice(1).split('.')[0]), Number(pathname.slice(1))];
  return [
    [host, page * 2],
    [host, page * 2 + 1],
    [(host + 1) % HOSTS, page],
  ]
    .filter(([, n]) => n! <= PAGES)
    .map(([h, n]) => discovered(`h${h}.example.com`, String(n)));
}

describe('a Redis that was set back by seconds (F9)', () => {
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

  /** Work as host workflows do, for ever with the same claims, until the crawl is done. */
  function crawl(
    frontier: RedisFrontier,
    runs: Map<string, HostRun>,
    fetched: Map<string, number>,
    stop: () => boolean,
  ) {
    const workHost = async (hostKey: string) => {
      const run = runs.get(hostKey) ?? new HostRun(frontier, hostKey);
      runs.set(hostKey, run);
      let reply = await run.lease();
      while (reply.status === 'lease' && !stop()) {
        const url = leasedUrl(reply);
        fetched.set(url, (fetched.get(url) ?? 0) + 1);
        await frontier.addUrls(linksOf(url));
        reply = await run.complete(url);
      }
    };
    const running = new Map<string, Promise<void>>();
    const start = (hostKey: string) => {
      if (running.has(hostKey)) return;
      running.set(
        hostKey,
        workHost(hostKey).finally(() => running.delete(hostKey)),
      );
    };
    return {
      start,
      async untilDone() {
        for (;;) {
          const next = await askNextHosts(frontier);
          next.hosts.forEach(({ hostKey }) => start(hostKey));
          if (next.needsRecount) await frontier.recount();
          if ((next.isDone && running.size === 0) || stop()) break;
          await delay(5);
        }
        await Promise.all(running.values());
      },
      /** Workflows that were active go on by themselves: no nomination tells them to. */
      goOn: () => [...runs.keys()].forEach(start),
    };
  }

  it.each(['exact', 'bloom'] as const)(
    'has every URL fetched, only those of the lost time twice, dedupe %s',
    async (dedupe) => {
      const frontier = new RedisFrontier(redis, `rolled-${dedupe}`, {
        leaseMs: 300,
        nominatedMs: 300,
      });
      const settings = crawlSettings({ dedupe });
      await frontier.create({ settings, seeds: ['https://h0.example.com/1'] }, randomUUID());
      await frontier.addUrls([discovered('h0.example.com', '1')]);

      const runs = new Map<string, HostRun>();
      const fetched = new Map<string, number>();
      let keptBytes = 0;
      let isCut = false;
      const before = new Map<string, number>();
      const stop = () => {
        if (!isCut && fetched.size > 300) {
          isCut = true;
          return true;
        }
        if (keptBytes === 0 && fetched.size > 150) {
          keptBytes = -1;
        }
        return isCut;
      };
      const first = crawl(frontier, runs, fetched, stop);
      const watcher = (async () => {
        while (keptBytes !== -1) await delay(1);
        await redis.call('WAITAOF', 1, 0, 0);
        keptBytes = appendedBytes(server.dir);
        for (const [url, count] of fetched) before.set(url, count);
      })();
      await first.untilDone();
      await watcher;
      await redis.call('WAITAOF', 1, 0, 0);
      const lost = await frontier.status();
      await server.kill('SIGKILL');
      expect(truncateAppendFile(server.dir, keptBytes)).toBeGreaterThan(10_000);
      await server.restart();
      const back = (await frontier.status()).totals;
      expect(back.fetched).toBeLessThan(lost.totals.fetched);
      expect(await auditFrontier(redis, frontier.crawlId)).toEqual([]);

      const second = crawl(frontier, runs, fetched, () => false);
      second.goOn();
      await second.untilDone();
      expect(fetched.size).toBe(HOSTS * PAGES);
      const { totals } = await frontier.status();
      expect(totals).toMatchObject({ outstanding: 0, leased: 0, fetched: HOSTS * PAGES });
      expect(await auditFrontier(redis, frontier.crawlId)).toEqual([]);
      const twice = [...fetched].filter(([, count]) => count > 1);
      // What was fetched by the time of the cut, but for the leases of that moment, stays so.
      const wasKept = twice.filter(([url]) => before.has(url));
      expect(wasKept.length).toBeLessThanOrEqual(HOSTS * 2);
      expect(twice.filter(([, count]) => count > 2)).toEqual([]);
      expect(twice.length).toBeGreaterThan(0);
    },
  );
});
