/** The crawls of one Redis: listing them, and letting finished ones go after their time. */
import { explainRedisError, type Redis } from '../redis/connection.js';
import { CRAWLS_KEY, EXPIRING_KEY, shardKeys, type ShardKeys } from './keys.js';

const SCAN_COUNT = 1000;

export async function listCrawl(redis: Redis, crawlId: string): Promise<void> {
  await guarded(redis.zadd(CRAWLS_KEY, 'NX', Date.now(), crawlId));
}

/** Ids of all crawls, newest first. */
export async function readCrawlIds(redis: Redis): Promise<string[]> {
  return guarded(redis.zrevrange(CRAWLS_KEY, 0, -1));
}

/** Let the crawl's frontier go in `keepMs`. */
export async function scheduleExpiry(redis: Redis, crawlId: string, keepMs: number): Promise<void> {
  await guarded(redis.zadd(EXPIRING_KEY, Date.now() + keepMs, crawlId));
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
    redis.zrangebyscore(EXPIRING_KEY, '-inf', Date.now(), 'LIMIT', 0, limit),
  );
  for (const crawlId of ids) await deleteCrawl(redis, crawlId, shardKeys(crawlId));
  return ids;
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

async function guarded<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    throw explainRedisError(error);
  }
}
