/** Reading hosts: for people, and for signals that must reach every one that may be running. */
import type { HostStateName, HostStatus } from '../contracts/frontier.js';
import { explainRedisError, type Redis } from '../redis/connection.js';
import type { ShardKeys } from './keys.js';
import { unpackItem } from './packed-item.js';

const FIELDS = [
  'state',
  'queued',
  'fetched',
  'redirected',
  'skipped',
  'failed',
  'bytes',
  'nextAt',
  'reason',
  'lease',
  'fails',
  'blocked',
] as const;

/** Hosts in the order of their keys, from the one after `after` on. */
export async function readHosts(
  redis: Redis,
  keys: ShardKeys,
  page: { after?: string; limit: number },
): Promise<HostStatus[]> {
  const from = page.after ? `(${page.after}` : '-';
  try {
    const names = await redis.zrangebylex(keys.hosts, from, '+', 'LIMIT', 0, page.limit);
    const pipeline = redis.pipeline();
    for (const name of names) pipeline.hmget(keys.hostPrefix + name, ...FIELDS);
    const replies = (await pipeline.exec()) ?? [];
    return replies.map(([error, values], n) => {
      if (error) throw error;
      return describeHost(names[n]!, values as (string | null)[]);
    });
  } catch (error) {
    throw explainRedisError(error);
  }
}

function describeHost(hostKey: string, values: readonly (string | null)[]): HostStatus {
  const field = Object.fromEntries(FIELDS.map((name, n) => [name, values[n] ?? null])) as Record<
    (typeof FIELDS)[number],
    string | null
  >;
  const count = (name: (typeof FIELDS)[number]) => Number(field[name] ?? 0);
  return {
    hostKey,
    state: (field.state ?? 'idle') as HostStateName,
    queued: count('queued') + (field.lease ? 1 : 0),
    fetched: count('fetched'),
    redirected: count('redirected'),
    skipped: count('skipped'),
    failed: count('failed'),
    bytes: count('bytes'),
    nextAtMs: field.nextAt ? Number(field.nextAt) : null,
    reason: field.blocked ?? field.reason,
    leasedUrl: field.lease ? unpackItem(field.lease).url : null,
    consecutiveFailures: count('fails'),
  };
}

/** Hosts that have a run or may still have one, in the order of their keys. */
export async function readLiveHosts(
  redis: Redis,
  keys: ShardKeys,
  page: { after?: string; limit: number },
): Promise<string[]> {
  try {
    const names = new Set<string>();
    for (const key of [keys.running, keys.lingering]) {
      let cursor = '0';
      do {
        const [next, found] = await redis.zscan(key, cursor, 'COUNT', 1000);
        for (let n = 0; n < found.length; n += 2) names.add(found[n]!);
        cursor = next;
      } while (cursor !== '0');
    }
    const after = page.after ?? '';
    return [...names]
      .filter((name) => name > after)
      .sort()
      .slice(0, page.limit);
  } catch (error) {
    throw explainRedisError(error);
  }
}
