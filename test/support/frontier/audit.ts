/** What must be true of a crawl's keys after every step, whatever happened: read and checked. */
import { shardKeys } from '../../../src/frontier/keys.js';
import type { Redis } from '../../../src/redis/connection.js';

type Fields = Record<string, string>;

const OUTCOMES = ['fetched', 'redirected', 'notModified', 'duplicate', 'skipped', 'failed'];
const isPage = (item: string): boolean => item.startsWith('p');
const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

/** All that is false of the crawl's keys, in words; empty when the frontier is sound. */
export async function auditFrontier(redis: Redis, crawlId: string): Promise<string[]> {
  const k = shardKeys(crawlId);
  const faults: string[] = [];
  const check = (isTrue: boolean, fault: string) => {
    if (!isTrue) faults.push(fault);
  };
  const totals = await redis.hgetall(k.totals);
  const total = (field: string) => Number(totals[field] ?? 0);
  const [names, pending, running, placed] = await Promise.all([
    redis.zrange(k.hosts, '0', '-1'),
    redis.zrange(k.pending, '0', '-1'),
    redis.zrange(k.running, '0', '-1'),
    redis.smembers(k.placed),
  ]);
  let outstanding = 0;
  let held = 0;
  let leasedPages = 0;
  let waitingPages = 0;
  for (const name of names) {
    const host = await redis.hgetall(k.hostPrefix + name);
    const items = await queuedItems(redis, k, name, host);
    const queued = Number(host['queued'] ?? 0);
    check(items.inBounds.length + items.due.length === queued, `${name}: queued ${queued}`);
    check(items.all === items.inBounds.length, `${name}: a level outside lo..hi has items`);
    const heldHere = host['held'] === undefined ? undefined : Number(host['held']);
    if (heldHere === undefined) outstanding += queued;
    else check(heldHere === queued, `${name}: holds ${heldHere} of ${queued}`);
    held += heldHere ?? 0;
    const { lease } = host;
    if (lease !== undefined) {
      outstanding += 1;
      if (isPage(lease)) leasedPages += 1;
    }
    waitingPages += [...items.inBounds, ...items.due, ...(lease ? [lease] : [])].filter(
      isPage,
    ).length;
    const isPending = pending.includes(name);
    const isRunning = running.includes(name);
    const hasWork = queued > 0 || lease !== undefined;
    check(!(isPending && isRunning), `${name}: pending and running`);
    check(
      !hasWork || isPending || isRunning || heldHere !== undefined,
      `${name}: has work and nobody will look (state ${host['state']})`,
    );
    check(lease === undefined || isRunning, `${name}: leased without a run`);
    check(!placed.includes(name) || isRunning, `${name}: placed without a run`);
    check((host['state'] === 'exhausted') === (heldHere !== undefined), `${name}: exhausted?`);
  }
  check(Number(totals['hosts'] ?? 0) === names.length, `hosts ${totals['hosts']}: ${names.length}`);
  check(
    total('outstanding') === outstanding,
    `outstanding ${total('outstanding')}: ${outstanding}`,
  );
  check(total('held') === held, `held ${total('held')}: ${held}`);
  check(total('leased') === leasedPages, `leased ${total('leased')}: ${leasedPages}`);
  const outcomes = sum(OUTCOMES.map(total));
  check(
    total('discovered') === outcomes + waitingPages,
    `discovered ${total('discovered')}: ${outcomes} outcomes and ${waitingPages} waiting`,
  );
  return faults;
}

async function queuedItems(
  redis: Redis,
  k: ReturnType<typeof shardKeys>,
  name: string,
  host: Fields,
): Promise<{ inBounds: string[]; due: string[]; all: number }> {
  const inBounds: string[] = [];
  let all = 0;
  const levels = await redis.keys(`${escapeGlob(k.queuePrefix + name)}:*`);
  for (const key of levels) {
    const items = await redis.lrange(key, '0', '-1');
    all += items.length;
    const level = Number(key.slice(key.lastIndexOf(':') + 1));
    if (level >= Number(host['lo']) && level <= Number(host['hi'])) inBounds.push(...items);
  }
  return { inBounds, due: await redis.zrange(k.duePrefix + name, '0', '-1'), all };
}

const escapeGlob = (text: string): string => text.replace(/[[\]*?\\]/g, '\\$&');
