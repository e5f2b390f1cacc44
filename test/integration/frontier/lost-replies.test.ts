/** The suite once more, every script sent twice: the second time must change nothing. */
import { afterAll, describe, expect, inject, it } from 'vitest';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { connectRedis } from '../../../src/redis/connection.js';
import { shardKeys } from '../../../src/frontier/keys.js';
import { frontierConformance } from '../../support/frontier/conformance/index.js';
import { doubledRedis, type Repetitions } from '../../support/frontier/doubled-redis.js';

const redis = connectRedis(inject('redisUrl'));
afterAll(() => redis.quit());

const repetitions: Repetitions = { seen: new Set(), faults: [] };

frontierConformance('Redis, every reply lost once', {
  dedupe: 'exact',
  make: (crawlId, times) => {
    const keys = `${shardKeys(crawlId).prefix}*`;
    return new RedisFrontier(doubledRedis(redis, keys, repetitions), crawlId, times);
  },
});

/** Every script of a crawl with every status that it has. */
const STATUSES: Record<string, readonly string[]> = {
  'create-crawl': ['ok', 'exists'],
  'add-urls': ['ok', 'no_crawl'],
  'complete-and-lease': [
    ...['lease', 'wait', 'idle', 'noPlace', 'paused', 'exhausted', 'blocked', 'stopped'],
    ...['fenced', 'done'],
  ],
  'next-hosts': ['ok', 'fenced', 'no_crawl'],
  'set-state': ['ok', 'refused', 'changed', 'no_crawl'],
  'reopen-hosts': ['ok', 'no_crawl'],
  'drain-host': ['ok', 'fenced'],
  'requeue-dead-letters': ['ok', 'no_crawl'],
  'requeue-held': ['ok', 'no_crawl'],
};

describe('a lost reply after any script, retried (Q3, F4, F5)', () => {
  it.each(Object.entries(STATUSES))('was tried with %s: %s', (script, statuses) => {
    const seen = [...repetitions.seen].filter((label) => label.startsWith(`${script}: `));
    expect(seen.sort()).toEqual(statuses.map((status) => `${script}: ${status}`).sort());
  });

  it('changes nothing', () => {
    expect(repetitions.faults.slice(0, 10)).toEqual([]);
  });
});
