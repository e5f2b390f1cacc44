/** A process of its own that adds URLs, works hosts off or asks gates. Argument: ProcessInput. */
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisFrontier, type FrontierTimes } from '../../../src/frontier/redis-frontier.js';
import { connectRedis, type Redis } from '../../../src/redis/connection.js';
import { owner } from './builders.js';
import { askNextHosts, HostRun } from './drive.js';
import { askGates, type GateInput } from './gate-asker.js';
import { numberedUrl, urlNumber } from './numbered-urls.js';

/** Offers the URLs numbered `from` to `to` (not included), in steps. */
export interface AddInput {
  readonly role: 'add';
  readonly redisUrl: string;
  readonly crawlId: string;
  readonly from: number;
  readonly to: number;
  readonly hosts: number;
}

/** Works off whatever is nominated to it until the crawl is done. */
export interface WorkInput {
  readonly role: 'work';
  readonly redisUrl: string;
  readonly crawlId: string;
  readonly times: FrontierTimes;
  /** Start of its run chains, ms: a later one takes a host over from an earlier one. */
  readonly startMs: number;
  /** Hosts worked at once. */
  readonly slots: number;
  /** URLs that the crawl will have in all: it is done when so many are fetched. */
  readonly total: number;
  /** How long a fetch takes; default no time. */
  readonly fetchMs?: number;
  /** Say `ready` at the start and the number of each URL as it is leased. */
  readonly says: boolean;
}

export type ProcessInput = AddInput | WorkInput | GateInput;

/** What an adder tells at its end. */
export interface AddResult {
  readonly added: number;
}

/** What a worker tells at its end: how often it was given each URL. */
export interface WorkResult {
  /** Leases by number, in base64: one byte a URL. */
  readonly counts: string;
}

const ADD_STEP = 500;

async function add(redis: Redis, input: AddInput): Promise<AddResult> {
  const frontier = new RedisFrontier(redis, input.crawlId);
  let added = 0;
  for (let first = input.from; first < input.to; first += ADD_STEP) {
    const count = Math.min(ADD_STEP, input.to - first);
    const urls = Array.from({ length: count }, (_unused, n) => numberedUrl(first + n, input.hosts));
    added += (await frontier.addUrls(urls)).added;
  }
  return { added };
}

async function work(redis: Redis, input: WorkInput): Promise<WorkResult> {
  const frontier = new RedisFrontier(redis, input.crawlId, input.times);
  const counts = Buffer.alloc(input.total);
  const workHost = async (hostKey: string): Promise<void> => {
    const run = new HostRun(frontier, hostKey, {
      owner: owner(Date.now() - input.startMs, randomUUID()),
    });
    let reply = await run.lease();
    while (reply.status === 'lease') {
      const number = urlNumber(reply.item.url);
      counts[number]! += 1;
      if (input.says) process.stdout.write(`${number}\n`);
      if (input.fetchMs !== undefined) await delay(input.fetchMs);
      reply = await run.complete(reply.item.url);
    }
  };
  const running = new Set<Promise<void>>();
  if (input.says) process.stdout.write('ready\n');
  for (;;) {
    const next = await askNextHosts(frontier, { max: input.slots - running.size });
    for (const { hostKey } of next.hosts) {
      const one: Promise<void> = workHost(hostKey).finally(() => running.delete(one));
      running.add(one);
    }
    if (next.totals.fetched >= input.total) break;
    if (running.size >= input.slots) await Promise.race(running);
    else if (next.hosts.length === 0) await Promise.race([delay(20), ...running]);
  }
  await Promise.all(running);
  return { counts: counts.toString('base64') };
}

async function main(input: ProcessInput): Promise<void> {
  // It ends with its parent, however that ends.
  process.stdin.on('close', () => process.exit(1)).resume();
  const redis = connectRedis(input.redisUrl);
  // Hundreds of hosts at once in one process: what they send in one tick goes in one packet.
  redis.options.enableAutoPipelining = input.role === 'work';
  const result =
    input.role === 'add'
      ? await add(redis, input)
      : input.role === 'work'
        ? await work(redis, input)
        : await askGates(redis, input);
  process.stdout.write(`result ${JSON.stringify(result)}\n`, () => process.exit(0));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(JSON.parse(process.argv[2] ?? '{}') as ProcessInput);
}
