/** URLs that are held back as crawl traps: listing them, and queueing them after all. */
import { randomUUID } from 'node:crypto';
import type { HeldPage, HeldUrl } from '../contracts/frontier.js';
import type { TrapRule } from '../contracts/urls.js';
import { explainRedisError, type Redis } from '../redis/connection.js';
import { shardKeys } from './keys.js';
import { unpackItem } from './packed-item.js';
import { requeueStep } from './requeue.js';
import { SCRIPTS } from './scripts.js';

/** URLs queued by one call: a script of a few milliseconds. */
const REQUEUE_MOST = 1000;

/**
 * Some of the held URLs, in no order. What is there from the first page to the last is listed; what
 * comes or goes meanwhile may be, or may be listed twice.
 */
export async function readHeldUrls(
  redis: Redis,
  crawlId: string,
  page: { readonly cursor?: string; readonly limit: number },
): Promise<HeldPage> {
  try {
    const { trapped } = shardKeys(crawlId);
    const [next, pairs] = await redis.hscan(trapped, page.cursor ?? '0', 'COUNT', page.limit);
    const urls: HeldUrl[] = [];
    for (let n = 1; n < pairs.length; n += 2) urls.push(heldUrl(pairs[n]!));
    return { urls, cursor: next === '0' ? null : next };
  } catch (error) {
    throw explainRedisError(error);
  }
}

function heldUrl(packed: string): HeldUrl {
  const [rule, hostKey, , ...item] = packed.split('\t');
  return { ...unpackItem(item.join('\t')), hostKey: hostKey ?? '', rule: rule as TrapRule };
}

/**
 * Queue held URLs whatever the quota of hosts says; at most 1,000 a call.
 *
 * @param requestId names the request: sent again after a lost reply, it changes nothing
 * @returns how many
 * @throws FRONTIER_CRAWL_NOT_FOUND, FRONTIER_SEEN_FILTER
 */
export function requeueHeld(
  redis: Redis,
  crawlId: string,
  limit: number,
  requestId: string = randomUUID(),
): Promise<number> {
  const k = shardKeys(crawlId);
  const keys = [
    ...[k.crawl, k.totals, k.seen, k.pending, k.running, k.hosts, k.domains],
    ...[k.hostPrefix, k.queuePrefix, k.trapped],
  ];
  const script = { script: SCRIPTS.requeueHeld, keys, most: REQUEUE_MOST };
  return requeueStep(redis, crawlId, script, { limit, id: requestId });
}
