/** Roots of a crawl's scope: added in one step with the version that tells workers of them. */
import { afterAll, describe, expect, inject, it } from 'vitest';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { addScopeRoots, readScopeRoots } from '../../../src/frontier/scope-roots.js';
import { shardKeys } from '../../../src/frontier/keys.js';
import { connectRedis } from '../../../src/redis/connection.js';
import { doubledRedis, type Repetitions } from '../../support/frontier/doubled-redis.js';
import { openCrawl } from '../../support/frontier/drive.js';

const redis = connectRedis(inject('redisUrl'));
afterAll(() => redis.quit());

const backEnd = {
  dedupe: 'exact',
  make: (crawlId: string) => new RedisFrontier(redis, crawlId),
} as const;

describe('roots of a crawl’s scope', () => {
  it('raise the version when they are new, and only then', async () => {
    const frontier = await openCrawl(backEnd);
    const { crawlId } = frontier;
    const repetitions: Repetitions = { seen: new Set(), faults: [] };
    const doubled = doubledRedis(redis, `${shardKeys(crawlId).prefix}*`, repetitions);
    const { version } = await frontier.status();
    const urls = Array.from({ length: 1500 }, (_unused, n) => `https://h${n}.example/`);
    await addScopeRoots(doubled, crawlId, [...urls, ...urls]);
    expect((await frontier.status()).version).toBe(version + 2);
    expect((await readScopeRoots(redis, crawlId)).sort()).toEqual(urls.sort());
    await addScopeRoots(doubled, crawlId, urls.slice(0, 5));
    expect((await frontier.status()).version).toBe(version + 2);
    expect([...repetitions.seen]).toEqual(['add-roots: ok']);
    expect(repetitions.faults).toEqual([]);
  });

  it('of a crawl that is gone are refused and leave no key', async () => {
    const frontier = await openCrawl(backEnd);
    await frontier.delete();
    await expect(
      addScopeRoots(redis, frontier.crawlId, ['https://x.example/']),
    ).rejects.toMatchObject({
      code: 'FRONTIER_CRAWL_NOT_FOUND',
    });
    expect(await redis.exists(shardKeys(frontier.crawlId).roots)).toBe(0);
  });
});
