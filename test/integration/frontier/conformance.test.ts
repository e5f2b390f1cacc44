/** The frontier in Redis passes the suite with both seen filters. */
import { afterAll, inject } from 'vitest';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { connectRedis } from '../../../src/redis/connection.js';
import { frontierConformance } from '../../support/frontier/conformance/index.js';

const redis = connectRedis(inject('redisUrl'));
afterAll(() => redis.quit());

for (const dedupe of ['exact', 'bloom'] as const) {
  frontierConformance(`Redis, dedupe ${dedupe} (Q2, F4)`, {
    dedupe,
    make: (crawlId, times) => new RedisFrontier(redis, crawlId, times),
  });
}
