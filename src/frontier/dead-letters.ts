/** URLs that were given up: draining a blocked host, listing them, putting them back. */
import { randomUUID } from 'node:crypto';
import type { Claim, DeadLetter } from '../contracts/frontier.js';
import type { QueuedUrl } from '../contracts/urls.js';
import { explainRedisError, type Redis } from '../redis/connection.js';
import { runScript } from '../redis/script.js';
import { claimArgs, claimedHostKeys } from './claimed-host.js';
import { shardKeys } from './keys.js';
import { unpackItem } from './packed-item.js';
import { requeueStep } from './requeue.js';
import { SCRIPTS } from './scripts.js';

/** See Frontier.drainHost. A fenced caller gets nothing. */
export async function drainHost(
  redis: Redis,
  crawlId: string,
  claim: Claim,
  confirmed: readonly QueuedUrl[],
  step: { readonly limit: number; readonly leaseMs: number; readonly reason?: string },
): Promise<readonly QueuedUrl[]> {
  const reply = (await runScript(
    redis,
    SCRIPTS.drainHost,
    claimedHostKeys(shardKeys(crawlId), claim),
    [
      ...claimArgs(claim),
      step.limit,
      step.leaseMs,
      step.reason ?? '',
      ...confirmed.map((item) => item.url),
    ],
  )) as string[];
  return reply[0] === 'ok' ? reply.slice(1).map(unpackItem) : [];
}

/** Dead letters, oldest first. */
export async function readDeadLetters(
  redis: Redis,
  crawlId: string,
  page: { readonly offset: number; readonly limit: number },
): Promise<readonly DeadLetter[]> {
  if (page.limit < 1) return [];
  try {
    const texts = await redis.lrange(
      shardKeys(crawlId).deadLetters,
      page.offset,
      page.offset + page.limit - 1,
    );
    return texts.map((text) => {
      const letter = JSON.parse(text) as { item: string; reason: string; atMs: number };
      return { ...unpackItem(letter.item), reason: letter.reason, atMs: letter.atMs };
    });
  } catch (error) {
    throw explainRedisError(error);
  }
}

/** Letters queued by one call. */
const REQUEUE_MOST = 500;

/**
 * Put the oldest dead letters back into their queues; at most 500 a call.
 *
 * @param requestId names the request: sent again after a lost reply, it changes nothing
 * @returns how many
 * @throws FRONTIER_CRAWL_NOT_FOUND
 */
export function requeueDeadLetters(
  redis: Redis,
  crawlId: string,
  limit: number,
  requestId: string = randomUUID(),
): Promise<number> {
  const k = shardKeys(crawlId);
  const keys = [
    ...[k.crawl, k.totals, k.pending, k.running, k.deadLetters],
    ...[k.hostPrefix, k.queuePrefix],
  ];
  const script = { script: SCRIPTS.requeueDeadLetters, keys, most: REQUEUE_MOST };
  return requeueStep(redis, crawlId, script, { limit, id: requestId });
}
