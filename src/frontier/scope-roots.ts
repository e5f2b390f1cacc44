/**
 * What the scope of a crawl is measured from: one URL per seed host or seed domain, not every seed,
 * so that a million seeds of one site cost one entry.
 */
import { explainRedisError, type Redis } from '../redis/connection.js';
import { shardKeys } from './keys.js';

/** Add roots; new ones raise the crawl's version, so that every worker compiles its scope anew. */
export async function addScopeRoots(
  redis: Redis,
  crawlId: string,
  roots: readonly string[],
): Promise<void> {
  const keys = shardKeys(crawlId);
  const distinct = [...new Set(roots)];
  try {
    for (let from = 0; from < distinct.length; from += 1000) {
      const added = await redis.sadd(keys.roots, ...distinct.slice(from, from + 1000));
      if (added > 0) await redis.hincrby(keys.crawl, 'v', 1);
    }
  } catch (error) {
    throw explainRedisError(error);
  }
}

/** @throws FRONTIER_UNAVAILABLE (retryable) */
export async function readScopeRoots(redis: Redis, crawlId: string): Promise<string[]> {
  try {
    return await redis.smembers(shardKeys(crawlId).roots);
  } catch (error) {
    throw explainRedisError(error);
  }
}
