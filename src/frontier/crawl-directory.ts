/** The crawls of one Redis: listing them, and letting finished ones go after their time. */
import type { CrawlState } from '../contracts/frontier.js';
import { explainRedisError, type Redis } from '../redis/connection.js';
import { CRAWLS_KEY, EXPIRING_KEY, shardKeys, type ShardKeys } from './keys.js';

const SCAN_COUNT = 1000;

/** States in which nothing more happens until somebody resumes the crawl. */
export const FINAL_STATES: readonly string[] = [
  'finished',
  'failed',
  'cancelled',
] satisfies readonly CrawlState[];

export async function listCrawl(redis: Redis, crawlId: string): Promise<void> {
  await guarded(redis.zadd(CRAWLS_KEY, 'NX', await nowMs(redis), crawlId));
}

/** Ids of all crawls, newest first. */
export async function readCrawlIds(redis: Redis): Promise<string[]> {
  return guarded(redis.zrevrange(CRAWLS_KEY, 0, -1));
}

/** Let the crawl's frontier go in `keepMs`. */
export async function scheduleExpiry(redis: Redis, crawlId: string, keepMs: number): Promise<void> {
  await guarded(redis.zadd(EXPIRING_KEY, (await nowMs(redis)) + keepMs, crawlId));
}

export async function unscheduleExpiry(redis: Redis, crawlId: string): Promise<void> {
  await guarded(redis.zrem(EXPIRING_KEY, crawlId));
}

/**
 * Remove the frontiers of finished crawls whose time has come. Run by every worker at its start and
 * every hour; bounded per call.
 *
 * @returns ids removed
 */
export async function sweepExpired(redis: Redis, limit = 10): Promise<string[]> {
  const ids = await guarded(
    redis.zrangebyscore(EXPIRING_KEY, '-inf', await nowMs(redis), 'LIMIT', 0, limit),
  );
  const removed: string[] = [];
  for (const crawlId of ids) {
    const keys = shardKeys(crawlId);
    const state = await guarded(redis.hget(keys.crawl, 'state'));
    if (state !== null && !FINAL_STATES.includes(state)) {
      // Resumed by somebody who ended before it was taken off this list.
      await unscheduleExpiry(redis, crawlId);
      continue;
    }
    await deleteCrawl(redis, crawlId, keys);
    removed.push(crawlId);
  }
  return removed;
}

/** Remove all keys of a crawl, a scan step at a time; the record goes first, so that no script adds more. */
export async function deleteCrawl(redis: Redis, crawlId: string, keys: ShardKeys): Promise<void> {
  await guarded(redis.unlink(keys.crawl));
  const pattern = `${keys.prefix.replace(/[[\]*?\\]/g, '\\$&')}*`;
  let cursor = '0';
  do {
    const [next, found] = await guarded(redis.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT));
    if (found.length > 0) await guarded(redis.unlink(...found));
    cursor = next;
  } while (cursor !== '0');
  await guarded(redis.zrem(CRAWLS_KEY, crawlId));
  await guarded(redis.zrem(EXPIRING_KEY, crawlId));
}

/** The server's clock: the only one that the frontier goes by. */
async function nowMs(redis: Redis): Promise<number> {
  const [seconds, micros] = await guarded(redis.time());
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}

async function guarded<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    throw explainRedisError(error);
  }
}
