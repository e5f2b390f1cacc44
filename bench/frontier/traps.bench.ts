/**
 * What the defence against traps costs one Redis: µs of its CPU a step, bytes of its memory a page
 * and a held URL. Prints Markdown.
 *
 *     npx tsx bench/frontier/traps.bench.ts [PAGES]      default 40000
 */
import { shardKeys } from '../../src/frontier/keys.js';
import { RedisFrontier } from '../../src/frontier/redis-frontier.js';
import { parseInfo } from '../../src/redis/server-facts.js';
import type { DiscoveredUrl } from '../../src/contracts/urls.js';
import { crawlSettings } from '../../test/support/frontier/builders.js';
import { HostRun, nominated } from '../../test/support/frontier/drive.js';
import { benchRedis, machineLine } from './servers.js';
import { randomFrom, sampleUrl } from './sample-urls.js';

const COUNT = Number(process.argv[2] ?? 40_000);
const HOSTS = 20;
const STEP = 500;

const { redis, stop } = await benchRedis();

async function cpuSeconds(): Promise<number> {
  const info = parseInfo(await redis.info('cpu'));
  return Number(info['used_cpu_user']) + Number(info['used_cpu_sys']);
}

const row = (name: string, figure: number): void =>
  console.log(`| ${name} | ${figure.toFixed(1)} |`);

/** µs of Redis' own CPU time a step. */
async function measure(name: string, steps: number, act: () => Promise<void>): Promise<void> {
  const before = await cpuSeconds();
  await act();
  row(name, (((await cpuSeconds()) - before) / steps) * 1e6);
}

function urlsOf(hosts: number): DiscoveredUrl[] {
  const random = randomFrom(7);
  return Array.from({ length: COUNT }, (_unused, n) =>
    sampleUrl(`www.site-${n % hosts}.example`, n, random),
  );
}

async function offer(
  frontier: RedisFrontier,
  urls: readonly DiscoveredUrl[],
  textDigest?: string,
): Promise<void> {
  for (let from = 0; from < urls.length; from += STEP) {
    const page = textDigest && { hostKey: 'www.site-0.example', textDigest };
    await frontier.addUrls(urls.slice(from, from + STEP), page || undefined);
  }
}

/** Fetch everything; each page says what `textOf` makes of its number. */
async function fetchAll(
  frontier: RedisFrontier,
  textOf: ((n: number) => string) | undefined,
): Promise<void> {
  const names = await nominated(frontier, HOSTS);
  let n = 0;
  await Promise.all(
    names.map(async (name) => {
      const run = new HostRun(frontier, name);
      let reply = await run.lease();
      while (reply.status === 'lease') {
        const textDigest = textOf?.(n++);
        reply = await run.complete(reply.item.url, 'fetched', textDigest ? { textDigest } : {});
      }
    }),
  );
}

const digestOf = (n: number): string =>
  (n * 2_654_435_761).toString(16).padStart(16, '0').slice(-16);

try {
  console.log(`${await machineLine(redis)}; ${COUNT} URLs on ${HOSTS} hosts.\n`);
  console.log('| complete-and-lease | µs of Redis CPU |\n|---|---:|');
  const bytes: [string, number][] = [];
  for (const [name, textOf] of [
    ['pages without a digest (as before)', undefined],
    ['pages that all say something else', digestOf],
    ['pages that all say the same', () => digestOf(1)],
  ] as const) {
    const frontier = new RedisFrontier(redis, 'bench');
    await frontier.create(
      { settings: crawlSettings({ bloomCapacity: COUNT }), seeds: [] },
      'bench',
    );
    await offer(frontier, urlsOf(HOSTS));
    await measure(name, COUNT, () => fetchAll(frontier, textOf));
    const key = `${shardKeys('bench').alikePrefix}www.site-0.example`;
    bytes.push([`table of texts of a host: ${name}`, Number(await redis.memory('USAGE', key))]);
    await frontier.delete();
  }

  console.log('\n| URL offered, 500 a call | µs of Redis CPU |\n|---|---:|');
  for (const [name, budget] of [
    ['found on a page of its own', 1_000_000],
    ['found on an alike page: queued later', 1_000_000],
    ['found on an alike page past the budget: held back', 3],
  ] as const) {
    const frontier = new RedisFrontier(redis, 'bench');
    const settings = crawlSettings({ bloomCapacity: COUNT, trapBudget: budget });
    await frontier.create({ settings, seeds: [] }, 'bench');
    const seeds = urlsOf(1).slice(0, 10);
    await frontier.addUrls(seeds);
    await fetchAll(frontier, () => digestOf(1));
    const found = urlsOf(HOSTS).slice(10);
    const digest = name.includes('own') ? digestOf(2) : digestOf(1);
    await measure(name, found.length, () => offer(frontier, found, digest));
    const { trapped } = (await frontier.status()).totals;
    if (trapped > 0) {
      const used = Number(await redis.memory('USAGE', shardKeys('bench').trapped, 'SAMPLES', 0));
      bytes.push(['a held URL of 55 characters with a via of 55', used / trapped]);
      const offeredAgain = 'the same, offered again by a page of its own: queued';
      await measure(offeredAgain, trapped, () => offer(frontier, found.slice(-trapped)));
    }
    await frontier.delete();
  }
  console.log('\n| memory | bytes |\n|---|---:|');
  for (const [name, figure] of bytes) row(name, figure);
} finally {
  await stop();
}
