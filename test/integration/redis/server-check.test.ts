/** Servers that are configured wrongly are told so, with the remedy (Q4, F9). */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { connectRedis, type Redis } from '../../../src/redis/connection.js';
import { checkRedisServer } from '../../../src/redis/server-check.js';
import { readServerFacts } from '../../../src/redis/server-facts.js';
import { freshRedis } from '../../support/servers.js';

describe('the check of a Redis server (Q4, F9)', () => {
  let server: Awaited<ReturnType<typeof freshRedis>>;
  let redis: Redis;
  const right = [
    ['maxmemory-policy', 'noeviction'],
    ['appendonly', 'yes'],
    ['appendfsync', 'everysec'],
    ['save', '3600 1'],
    ['maxmemory', '0'],
    ['list-compress-depth', '1'],
  ] as const;
  beforeAll(async () => {
    server = await freshRedis();
    redis = connectRedis(server.url);
  });
  afterAll(async () => {
    redis.disconnect();
    await server.dispose();
  });
  beforeEach(async () => {
    for (const [name, value] of right) await redis.config('SET', name, value);
  });

  it('finds nothing wrong with the server that the engine starts', async () => {
    const shared = connectRedis(inject('redisUrl'));
    expect(await checkRedisServer(shared)).toEqual([]);
    shared.disconnect();
  });

  it.each([
    ['maxmemory-policy', 'allkeys-lru', 'error', 'eviction', /allkeys-lru.*noeviction/],
    ['maxmemory-policy', 'volatile-ttl', 'error', 'eviction', /noeviction/],
    ['appendonly', 'no', 'error', 'aof', /set appendonly yes/],
    ['appendfsync', 'no', 'warning', 'appendfsync', /everysec/],
    ['save', '', 'warning', 'save', /set save/],
    ['list-compress-depth', '0', 'warning', 'list-compress-depth', /list-compress-depth 1/],
  ] as const)('with %s "%s" is an %s', async (name, value, level, check, message) => {
    await redis.config('SET', name, value);
    const findings = await checkRedisServer(redis);
    expect(findings).toEqual([{ level, check, message: expect.stringMatching(message) as string }]);
  });

  it.each([
    [1.05, 'error'],
    [1.25, 'warning'],
    [2, undefined],
  ] as const)('with maxmemory %s times what is used: %s', async (times, level) => {
    const { usedBytes } = await readServerFacts(redis);
    await redis.config('SET', 'maxmemory', Math.round(usedBytes * times));
    const findings = await checkRedisServer(redis);
    expect(findings.map((finding) => [finding.check, finding.level])).toEqual(
      level === undefined ? [] : [['memory', level]],
    );
  });

  it('lists errors before warnings', async () => {
    await redis.config('SET', 'list-compress-depth', '0');
    await redis.config('SET', 'appendonly', 'no');
    const levels = (await checkRedisServer(redis)).map((finding) => finding.level);
    expect(levels).toEqual(['error', 'warning']);
  });

  it('does without CONFIG where that is denied', async () => {
    await redis.config('SET', 'list-compress-depth', '0');
    await redis.call('ACL', 'SETUSER', 'guest', 'on', 'nopass', '~*', '+@all', '-config');
    const guest = connectRedis(server.url.replace('://', '://guest:any@'));
    expect(await readServerFacts(guest)).toMatchObject({ savePoints: null, appendfsync: null });
    expect(await checkRedisServer(guest)).toEqual([]);
    guest.disconnect();
  });

  it('refuses a replica', async () => {
    await redis.call('REPLICAOF', '127.0.0.1', '1');
    const findings = await checkRedisServer(redis);
    expect(findings).toMatchObject([{ level: 'error', check: 'role' }]);
    await redis.call('REPLICAOF', 'NO', 'ONE');
  });

  it('says so, retryably, when nobody answers', async () => {
    const gone = connectRedis('redis://127.0.0.1:1');
    gone.options.maxRetriesPerRequest = 0;
    await expect(checkRedisServer(gone)).rejects.toMatchObject({
      code: 'FRONTIER_UNAVAILABLE',
      retryable: true,
    });
    gone.disconnect();
  });
});
