/**
 * What a queued URL and a seen URL cost in Redis (F10). Prints Markdown.
 *
 *     npx tsx bench/frontier/memory.bench.ts [URLS]      default 300000
 */
import { RedisFrontier } from '../../src/frontier/redis-frontier.js';
import { packItem } from '../../src/frontier/packed-item.js';
import { shardKeys } from '../../src/frontier/keys.js';
import type { DiscoveredUrl } from '../../src/contracts/urls.js';
import type { Redis } from '../../src/redis/connection.js';
import { crawlSettings } from '../../test/support/frontier/builders.js';
import { benchRedis, machineLine, usedBytes } from './servers.js';
import { randomFrom, sampleUrl } from './sample-urls.js';

const COUNT = Number(process.argv[2] ?? 300_000);
const HOSTS = 100;
const STEP = 1000;

/** How a queue might be kept: commands that queue these URLs. */
type Layout = (url: DiscoveredUrl) => readonly (readonly string[])[];

const host = (url: DiscoveredUrl): string => url.hostKey;
const score = (url: DiscoveredUrl): string => String(url.level);

const LAYOUTS: readonly [string, Layout][] = [
  [
    'lists, one per level, packed items',
    (url) => [['RPUSH', `q:${host(url)}:${url.level}`, packItem(url)]],
  ],
  ['sorted set per host, the bare URL (F3)', (url) => [['ZADD', host(url), score(url), url.url]]],
  ['sorted set per host, packed items', (url) => [['ZADD', host(url), score(url), packItem(url)]]],
  [
    'sorted set per host, the bare URL, and a hash of the rest',
    (url) => [
      ['ZADD', `z:${host(url)}`, score(url), url.url],
      ['HSET', `h:${host(url)}`, url.url, `${url.depth}\t0\t${url.hops}\t${url.via}`],
    ],
  ],
];

function* urls(): Generator<DiscoveredUrl[]> {
  const random = randomFrom(7);
  for (let first = 0; first < COUNT; first += STEP) {
    yield Array.from({ length: STEP }, (_unused, n) =>
      sampleUrl(`www.site-${(first + n) % HOSTS}.example`, first + n, random),
    );
  }
}

/** Bytes a URL that `fill` adds to an empty server. */
async function bytesPerUrl(redis: Redis, fill: () => Promise<void>): Promise<number> {
  await redis.flushall();
  const before = await usedBytes(redis);
  await fill();
  return ((await usedBytes(redis)) - before) / COUNT;
}

async function fillLayout(redis: Redis, layout: Layout): Promise<void> {
  for (const batch of urls()) {
    const pipeline = redis.pipeline();
    for (const url of batch)
      for (const [name, ...args] of layout(url)) pipeline.call(name!, ...args);
    await pipeline.exec();
  }
}

async function fillSeen(redis: Redis, command: string, add: readonly string[]): Promise<void> {
  for (const batch of urls()) {
    await redis.call(command, 'seen', ...add, ...batch.map((url) => url.fingerprint));
  }
}

async function fillFrontier(redis: Redis, dedupe: 'bloom' | 'exact'): Promise<string[]> {
  const frontier = new RedisFrontier(redis, 'bench');
  const settings = crawlSettings({ dedupe, bloomCapacity: COUNT });
  await frontier.create({ settings, seeds: [] }, 'bench');
  for (const batch of urls()) await frontier.addUrls(batch);
  return [shardKeys('bench').seen];
}

const row = (name: string, bytes: number): string => `| ${name} | ${bytes.toFixed(1)} |`;

const { redis, stop } = await benchRedis(['--save', '', '--appendonly', 'no']);
try {
  console.log(
    `${await machineLine(redis)}; ${COUNT} URLs of 55 characters on ${HOSTS} hosts, each`,
  );
  console.log('with a via of 55 characters; used_memory_dataset of an otherwise empty server.\n');
  console.log('| a queued URL | bytes |\n|---|---:|');
  for (const depth of ['1', '0']) {
    await redis.config('SET', 'list-compress-depth', depth);
    const [name, layout] = LAYOUTS[0]!;
    const bytes = await bytesPerUrl(redis, () => fillLayout(redis, layout));
    console.log(row(`${name}, list-compress-depth ${depth}`, bytes));
  }
  await redis.config('SET', 'list-compress-depth', '1');
  for (const [name, layout] of LAYOUTS.slice(1)) {
    console.log(row(name, await bytesPerUrl(redis, () => fillLayout(redis, layout))));
  }
  console.log('\n| a seen URL | bytes |\n|---|---:|');
  console.log(row('exact: a set', await bytesPerUrl(redis, () => fillSeen(redis, 'SADD', []))));
  for (const [name, capacity] of [
    ['at its size', COUNT],
    ['just after it grew', Math.floor(COUNT * 0.99)],
  ] as const) {
    const bytes = await bytesPerUrl(redis, async () => {
      await redis.call('BF.RESERVE', 'seen', '0.000001', String(capacity));
      await fillSeen(redis, 'BF.INSERT', ['ITEMS']);
    });
    console.log(row(`Bloom filter of 10⁻⁶, ${name}`, bytes));
  }
  console.log('\n| a URL in the frontier, all in all | bytes |\n|---|---:|');
  for (const dedupe of ['bloom', 'exact'] as const) {
    const bytes = await bytesPerUrl(redis, async () => {
      await fillFrontier(redis, dedupe);
    });
    console.log(row(`queued and seen, dedupe ${dedupe}`, bytes));
  }
} finally {
  await stop();
}
