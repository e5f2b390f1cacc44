/** What a crawl costs in Redis, and that no step reads more of it than the step needs. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shardKeys } from '../../../src/frontier/keys.js';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { connectRedis, type Redis } from '../../../src/redis/connection.js';
import { crawlSettings, discoveredMany, newCrawlId } from '../../support/frontier/builders.js';
import { HostRun, leasedUrl, nominated } from '../../support/frontier/drive.js';
import { freshRedis } from '../../support/servers.js';

const HOSTS = 20;
const URLS = 100_000;

describe('a crawl of many URLs', () => {
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
  const figure = async (section: string, name: string): Promise<number> => {
    const found = new RegExp(`^${name}:(\\d+)`, 'm').exec(await redis.info(section));
    return Number(found?.[1]);
  };

  it('takes little memory a URL, and resuming it reads none of its queues (F3, F10)', async () => {
    const crawlId = newCrawlId('size');
    const frontier = new RedisFrontier(redis, crawlId);
    const settings = crawlSettings({ dedupe: 'bloom', bloomCapacity: URLS });
    await frontier.create({ settings, seeds: [] }, randomUUID());
    const emptyBytes = await figure('memory', 'used_memory');
    for (let n = 0; n < HOSTS; n += 1) {
      await frontier.addUrls(discoveredMany(`host-${n}.example.com`, URLS / HOSTS));
    }
    const usedBytes = (await figure('memory', 'used_memory')) - emptyBytes;
    const filterBytes = Number(await redis.memory('USAGE', shardKeys(crawlId).seen));
    expect(filterBytes / URLS).toBeLessThan(5);
    expect(usedBytes / URLS).toBeLessThan(60);

    await frontier.setState('finished', 'stopped');
    const before = await figure('stats', 'total_net_output_bytes');
    await frontier.setState('running');
    for (let after: string | null = ''; after !== null;) {
      after = await frontier.reopen({ after, limit: 500, overdue: true });
    }
    for (const host of await nominated(frontier))
      leasedUrl(await new HostRun(frontier, host).lease());
    const { totals } = await frontier.status();
    const readBytes = (await figure('stats', 'total_net_output_bytes')) - before;
    expect(totals).toMatchObject({ outstanding: URLS, leased: HOSTS });
    expect(readBytes).toBeLessThan(100_000);

    await frontier.delete();
    expect(await redis.keys('*')).toEqual([]);
  });
});
