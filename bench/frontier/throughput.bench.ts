/**
 * What one Redis does: URLs added, leases, requests let through gates, in a second. Prints Markdown.
 *
 *     npx tsx bench/frontier/throughput.bench.ts [URLS]      default 100000
 */
import { performance } from 'node:perf_hooks';
import { RedisFrontier } from '../../src/frontier/redis-frontier.js';
import { RedisGate } from '../../src/frontier/gate.js';
import { parseInfo } from '../../src/redis/server-facts.js';
import { crawlSettings } from '../../test/support/frontier/builders.js';
import { HostRun, nominated } from '../../test/support/frontier/drive.js';
import { benchRedis, machineLine } from './servers.js';
import { randomFrom, sampleUrl } from './sample-urls.js';

const COUNT = Number(process.argv[2] ?? 100_000);
const HOSTS = 200;
const STEP = 500;
const GATES = 50;

const { redis, stop } = await benchRedis();

/** Steps a second, and µs of Redis' own CPU time a step. */
async function measure(name: string, steps: number, act: () => Promise<void>): Promise<void> {
  const cpu = async () => {
    const info = parseInfo(await redis.info('cpu'));
    return Number(info['used_cpu_user']) + Number(info['used_cpu_sys']);
  };
  const cpuBefore = await cpu();
  const start = performance.now();
  await act();
  const seconds = (performance.now() - start) / 1000;
  const micros = (((await cpu()) - cpuBefore) / steps) * 1e6;
  console.log(`| ${name} | ${Math.round(steps / seconds)} | ${micros.toFixed(0)} |`);
}

try {
  console.log(`${await machineLine(redis)}; AOF everysec; one client process.\n`);
  console.log('| step | a second | µs of Redis CPU each |\n|---|---:|---:|');
  for (const dedupe of ['bloom', 'exact'] as const) {
    const frontier = new RedisFrontier(redis, `bench-${dedupe}`);
    const settings = crawlSettings({ dedupe, bloomCapacity: COUNT });
    await frontier.create({ settings, seeds: [] }, 'bench');
    const random = randomFrom(7);
    const urls = Array.from({ length: COUNT }, (_unused, n) =>
      sampleUrl(`www.site-${n % HOSTS}.example`, n, random),
    );
    await measure(`URL added, 500 a call, dedupe ${dedupe}`, COUNT, async () => {
      for (let from = 0; from < COUNT; from += STEP) {
        await frontier.addUrls(urls.slice(from, from + STEP));
      }
    });
    await measure(`URL offered again, dedupe ${dedupe}`, COUNT, async () => {
      for (let from = 0; from < COUNT; from += STEP) {
        await frontier.addUrls(urls.slice(from, from + STEP));
      }
    });
    const hosts = await nominated(frontier, HOSTS);
    await measure(`complete-and-lease, ${HOSTS} hosts at once`, COUNT, async () => {
      await Promise.all(hosts.map((host) => new HostRun(frontier, host).work()));
    });
    await frontier.delete();
  }
  const gate = new RedisGate(redis);
  const rounds = Math.floor(COUNT / 10 / GATES);
  await measure(`gate asked and released, ${GATES} hosts at once`, rounds * GATES, async () => {
    await Promise.all(
      Array.from({ length: GATES }, async (_unused, n) => {
        const asker = { hostKey: `h${n}.example`, crawlId: 'bench', holder: `holder-${n}` };
        for (let round = 0; round < rounds; round += 1) {
          await gate.ask({ ...asker, delayMs: 0, delayFactor: 0, maxFactorMs: 0 });
          await gate.release(asker, { durationMs: 1 });
        }
      }),
    );
  });
} finally {
  await stop();
}
