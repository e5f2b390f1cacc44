/** Every script works on a cluster node, which refuses keys of a foreign slot (F8). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { RedisGate } from '../../../src/frontier/gate.js';
import { SCRIPTS } from '../../../src/frontier/scripts.js';
import { connectRedis, type Redis } from '../../../src/redis/connection.js';
import { frontierConformance } from '../../support/frontier/conformance/index.js';
import { until } from '../../support/frontier/drive.js';
import { gateConformance } from '../../support/frontier/gate-conformance.js';
import { freshRedis } from '../../support/servers.js';

let server: Awaited<ReturnType<typeof freshRedis>>;
let redis: Redis;
beforeAll(async () => {
  server = await freshRedis(['--cluster-enabled', 'yes']);
  redis = connectRedis(server.url);
  await redis.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await until(async () => /cluster_state:ok/.test(String(await redis.call('CLUSTER', 'INFO'))));
});
afterAll(async () => {
  redis.disconnect();
  await server.dispose();
});

frontierConformance('Redis Cluster (F8)', {
  dedupe: 'bloom',
  make: (crawlId, times) => new RedisFrontier(redis, crawlId, times),
});
gateConformance('Redis Cluster (F8)', (holdMs) => new RedisGate(redis, holdMs ? { holdMs } : {}));

describe('a script with keys of two slots', () => {
  it.each(Object.entries(SCRIPTS))('%s is refused', async (_name, script) => {
    const call = redis.eval(script.source, 2, 'ow:{a:0}:crawl', 'ow:{b:0}:crawl', '1');
    await expect(call).rejects.toThrow(/CROSSSLOT/);
  });
});

describe('a script that reaches for a key of another slot', () => {
  it('is refused by the server, because its scripts start with #!lua', async () => {
    const call = redis.eval("#!lua\nreturn redis.call('GET', 'ow:{b:0}:x')", 1, 'ow:{a:0}:crawl');
    await expect(call).rejects.toThrow(/do not hash to the same slot/);
  });
});
