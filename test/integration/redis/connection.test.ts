/** A connection survives what happens to its server; errors say whether to try again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { SCRIPTS } from '../../../src/frontier/scripts.js';
import { connectRedis, explainRedisError, type Redis } from '../../../src/redis/connection.js';
import { runScript } from '../../../src/redis/script.js';
import { crawlSettings, discoveredMany } from '../../support/frontier/builders.js';
import { freshRedis } from '../../support/servers.js';

describe('a connection to Redis', () => {
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

  it('sends a command again when the server dies under it and comes back', async () => {
    const frontier = new RedisFrontier(redis, 'survivor');
    await frontier.create({ settings: crawlSettings(), seeds: [] }, 'r');
    await frontier.addUrls(discoveredMany('a.example.com', 10));
    await server.kill('SIGKILL');
    const waiting = frontier.addUrls(discoveredMany('a.example.com', 20));
    await server.restart();
    const { added, seen } = await waiting;
    expect(added + seen).toBe(20);
    expect((await frontier.status()).totals.outstanding).toBe(20);
  });

  it('loads a script again that the server has forgotten', async () => {
    await redis.script('FLUSH');
    const reply = await runScript(redis, SCRIPTS.nextHosts, Array(8).fill('x{t}'), [
      '1',
      'r',
      1,
      1,
    ]);
    expect(reply).toEqual(['no_crawl']);
  });

  it('takes a full Redis for unavailable, retryably, and loses nothing', async () => {
    const frontier = new RedisFrontier(redis, 'full');
    await frontier.create({ settings: crawlSettings(), seeds: [] }, 'r');
    await redis.config('SET', 'maxmemory', '1');
    await expect(frontier.addUrls(discoveredMany('a.example.com', 5))).rejects.toMatchObject({
      code: 'FRONTIER_UNAVAILABLE',
      retryable: true,
    });
    await redis.config('SET', 'maxmemory', '0');
    expect((await frontier.addUrls(discoveredMany('a.example.com', 5))).added).toBe(5);
  });

  it.each([
    ['LOADING Redis is loading the dataset in memory', true],
    ['READONLY You can’t write against a read only replica.', true],
    ['MISCONF Redis is configured to save RDB snapshots', true],
    ['BUSY Redis is busy running a script.', true],
    ['connect ECONNREFUSED 127.0.0.1:6379', true],
    ['WRONGTYPE Operation against a key holding the wrong kind of value', false],
    ['NOAUTH Authentication required.', false],
  ])('"%s" is unavailable: %s', (message, isUnavailable) => {
    const explained = explainRedisError(new Error(message)) as { code?: string };
    expect(explained.code === 'FRONTIER_UNAVAILABLE').toBe(isUnavailable);
  });
});
