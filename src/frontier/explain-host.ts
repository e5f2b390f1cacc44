/** One host of a crawl as it stands in Redis. Read-only. */
import type { HostStateName } from '../contracts/frontier.js';
import { explainRedisError, type Redis } from '../redis/connection.js';
import { shardKeys } from './keys.js';

/** What says why a host's URLs are not fetched just now. */
export interface HostFacts {
  readonly state: HostStateName;
  /** Why not yet, or why it was given up. */
  readonly reason: string | null;
  /** When the next fetch may come; null when nothing is planned. */
  readonly nextAtMs: number | null;
  /** URLs in its queue and waiting for another try. */
  readonly queued: number;
  /** Pages stored, which `perHostLimit` counts. */
  readonly fetched: number;
  /** It reached `perHostLimit`: its queue is kept for a larger one. */
  readonly isExhausted: boolean;
  /** It was out of reach for too long: its queue becomes dead letters. */
  readonly isBlocked: boolean;
  /** Failures in a row. */
  readonly failures: number;
}

const FIELDS = [
  'state',
  'reason',
  'blocked',
  'nextAt',
  'queued',
  'fetched',
  'held',
  'fails',
] as const;

/**
 * @returns null for a host that the crawl has not met
 * @throws FRONTIER_UNAVAILABLE (retryable)
 */
export async function readHostFacts(
  redis: Redis,
  crawlId: string,
  hostKey: string,
): Promise<HostFacts | null> {
  const keys = shardKeys(crawlId);
  try {
    if ((await redis.zscore(keys.hosts, hostKey)) === null) return null;
    const values = await redis.hmget(keys.hostPrefix + hostKey, ...FIELDS);
    const [state, reason, blocked, nextAt, queued, fetched, held, fails] = values;
    return {
      state: (state ?? 'idle') as HostStateName,
      reason: blocked ?? reason ?? null,
      nextAtMs: nextAt ? Number(nextAt) : null,
      queued: Number(queued ?? 0),
      fetched: Number(fetched ?? 0),
      isExhausted: held !== null && held !== undefined,
      isBlocked: blocked !== null && blocked !== undefined,
      failures: Number(fails ?? 0),
    };
  } catch (error) {
    throw explainRedisError(error);
  }
}
