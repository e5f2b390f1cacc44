/** Damaged data: the seen filter errs rather than forgets, wrong totals heal, no step tears. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { shardKeys } from '../../../src/frontier/keys.js';
import { reopenHosts } from '../../../src/frontier/reopening.js';
import { SCRIPTS } from '../../../src/frontier/scripts.js';
import { connectRedis } from '../../../src/redis/connection.js';
import { startRedis } from '../../../src/servers/redis-server.js';
import { auditFrontier } from '../../support/frontier/audit.js';
import { claimOf, discovered, discoveredMany } from '../../support/frontier/builders.js';
import {
  askNextHosts,
  HostRun,
  leasedUrl,
  openCrawl,
  workOff,
} from '../../support/frontier/drive.js';
import { freshRedis } from '../../support/servers.js';

const redis = connectRedis(inject('redisUrl'));
afterAll(() => redis.quit());

const HOST = 'a.example.com';
const make = (crawlId: string) => new RedisFrontier(redis, crawlId);
const exact = { dedupe: 'exact', make } as const;
const bloom = { dedupe: 'bloom', make } as const;

describe('the seen filter (C4, F10)', () => {
  it('that is gone is an error, and nothing is queued unseen', async () => {
    const frontier = await openCrawl(bloom);
    await frontier.addUrls(discoveredMany(HOST, 3));
    const { seen } = shardKeys(frontier.crawlId);
    await redis.del(seen);
    await expect(frontier.addUrls(discoveredMany(HOST, 5))).rejects.toMatchObject({
      code: 'FRONTIER_SEEN_FILTER',
      retryable: false,
    });
    expect(await redis.exists(seen)).toBe(0);
    expect((await frontier.status()).totals).toMatchObject({ discovered: 3, outstanding: 3 });
    expect(await auditFrontier(redis, frontier.crawlId)).toEqual([]);
  });

  it('keeps its error rate, and says what it is expected to have skipped', async () => {
    const frontier = await openCrawl(bloom, { bloomErrorRate: 0.01, bloomCapacity: 5000 });
    const { added } = await frontier.addUrls(discoveredMany(HOST, 5000));
    expect(added).toBeLessThan(5000);
    expect(added).toBeGreaterThan(5000 * 0.98);
    const { expectedFalseSkips } = await frontier.status();
    expect(expectedFalseSkips).toBeCloseTo(added * 0.01, 5);
  });

  it('of exact dedupe skips none', async () => {
    const frontier = await openCrawl(exact, { bloomErrorRate: 0.01, bloomCapacity: 100 });
    expect((await frontier.addUrls(discoveredMany(HOST, 5000))).added).toBe(5000);
    expect((await frontier.status()).expectedFalseSkips).toBe(0);
  });

  it('takes more URLs than it was reserved for', async () => {
    const frontier = await openCrawl(bloom, { bloomCapacity: 100 });
    expect((await frontier.addUrls(discoveredMany(HOST, 3000))).added).toBe(3000);
    expect((await frontier.addUrls(discoveredMany(HOST, 3000))).added).toBe(0);
  });
});

describe('wrong totals', () => {
  async function damaged(field: string, value: string) {
    const frontier = await openCrawl(exact, { perHostLimit: 2 });
    await frontier.addUrls([...discoveredMany(HOST, 5), ...discoveredMany('b.example.com', 2)]);
    await new HostRun(frontier, HOST).work();
    await new HostRun(frontier, 'c.example.com').lease();
    await redis.hset(shardKeys(frontier.crawlId).totals, field, value);
    return frontier;
  }

  it.each([
    ['outstanding', '999'],
    ['outstanding', '-5'],
    ['outstanding', '0'],
    ['held', '77'],
    ['leased', '4'],
  ])('%s %s are mended by a recount', async (field, value) => {
    const frontier = await damaged(field, value);
    expect(await auditFrontier(redis, frontier.crawlId)).not.toEqual([]);
    await frontier.recount();
    expect(await auditFrontier(redis, frontier.crawlId)).toEqual([]);
    expect((await frontier.status()).totals).toMatchObject({ outstanding: 2, held: 3, leased: 0 });
  });

  it('ask for a recount when nothing runs, and hosts with work keep the crawl from ending', async () => {
    const high = await damaged('outstanding', '50');
    expect(await workOff(high)).toHaveLength(2);
    expect(await askNextHosts(high)).toMatchObject({ needsRecount: true, isDone: false });
    await high.recount();
    expect(await askNextHosts(high)).toMatchObject({ needsRecount: false, isDone: true });
    const low = await damaged('outstanding', '0');
    expect(await askNextHosts(low, { max: 0 })).toMatchObject({ isDone: false });
    expect(await workOff(low)).toHaveLength(2);
  });

  it('and wrong host counts are mended over several pages, each of which may be repeated', async () => {
    const frontier = await openCrawl(exact);
    const names = Array.from({ length: 7 }, (_unused, n) => `h${n}.example.com`);
    await frontier.addUrls(names.flatMap((name) => discoveredMany(name, 3)));
    const k = shardKeys(frontier.crawlId);
    await redis.hset(k.hostPrefix + names[3]!, 'queued', 100);
    await redis.zrem(k.pending, names[5]!);
    await redis.hset(k.totals, 'outstanding', 4);
    await redis.sadd(k.placed, names[6]!);
    const page = (after: string) =>
      reopenHosts(redis, frontier.crawlId, { after, limit: 3, overdue: false }, true);
    const second = await page('');
    await frontier.addUrls([discovered(names[0]!, 'added-meanwhile')]);
    const third = await page(second!);
    expect(await page(second!)).toBe(third);
    expect(await page(third!)).toBeNull();
    expect(await page(third!)).toBeNull();
    expect(await auditFrontier(redis, frontier.crawlId)).toEqual([]);
    expect((await frontier.status()).totals).toMatchObject({ outstanding: 22, pendingHosts: 7 });
  });
});

describe('bad input to a script', () => {
  it('tears no step: what a caller sends wrongly is taken as nothing', async () => {
    const frontier = await openCrawl(exact);
    await frontier.addUrls(discoveredMany(HOST, 4));
    const run = new HostRun(frontier, HOST);
    let url = leasedUrl(await run.lease());
    for (const more of [{ bytes: 1e30 }, { bytes: -1 }, { bytes: Number.NaN }]) {
      await expect(run.complete(url, 'fetched', more)).rejects.toThrow(/completion.bytes/);
    }
    url = leasedUrl(await run.complete(url, 'fetched', { rejected: { depth: 1.5, trap: -3 } }));
    await run.complete(url, 'skipped');
    expect((await frontier.status()).totals).toMatchObject({
      fetched: 1,
      skips: { unknown: 1 },
      rejected: { depth: 1, trap: 0 },
    });
    expect(await auditFrontier(redis, frontier.crawlId)).toEqual([]);
  });

  it('adds nothing of a batch with an item that is none', async () => {
    const frontier = await openCrawl(exact);
    const k = shardKeys(frontier.crawlId);
    const keys = [k.crawl, k.totals, k.seen, k.pending, k.running, k.hosts, k.domains];
    const good = ['f1', HOST, 'example.com', 'p\t1\t0\tL\t10\t\thttps://a.example.com/', ''];
    const bad = ['f2', HOST, 'example.com', 'p\t1\t0\tL\tundefined\t\thttps://a.example.com/x', ''];
    const more = [k.hostPrefix, k.queuePrefix, k.trapped, k.alikePrefix, k.forgottenPrefix];
    const args = [...keys, ...more, '', '', ...good, ...bad];
    await expect(redis.eval(SCRIPTS.addUrls.source, 12, ...args)).rejects.toThrow(
      /not a packed item/,
    );
    expect(await redis.exists(k.seen)).toBe(0);
  });
});

describe('a Redis without BF.*', () => {
  const executable = inject('redisExecutable');
  const withoutModules = { executable: { ...executable, modules: [] } };

  it.skipIf(executable.modules.length === 0)('that lacks the module is refused', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'orbweaver-plain-'));
    const server = await startRedis({ ...withoutModules, dir });
    try {
      await refusesBloom(server.url);
    } finally {
      await server.stop();
      rmSync(dir, { recursive: true });
    }
  });

  it('that does not permit it is refused', async () => {
    const server = await freshRedis();
    const admin = connectRedis(server.url);
    try {
      await admin.call('ACL', 'SETUSER', 'default', '-bf.reserve');
      await refusesBloom(server.url);
    } finally {
      admin.disconnect();
      await server.dispose();
    }
  });

  async function refusesBloom(url: string): Promise<void> {
    const plain = connectRedis(url);
    const makePlain = (crawlId: string) => new RedisFrontier(plain, crawlId);
    await expect(openCrawl({ dedupe: 'bloom', make: makePlain })).rejects.toMatchObject({
      code: 'FRONTIER_SEEN_FILTER',
      message: expect.stringContaining('dedupe: exact') as string,
    });
    const frontier = await openCrawl({ dedupe: 'exact', make: makePlain });
    expect((await frontier.addUrls(discoveredMany(HOST, 2))).added).toBe(2);
    leasedUrl(await frontier.completeAndLease({ claim: claimOf(HOST) }));
    plain.disconnect();
  }
});
