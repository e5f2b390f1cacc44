/**
 * What the scope of a crawl is measured from: one URL per seed host or seed domain, not every seed,
 * so that a million seeds of one site cost one entry.
 */
import { explainRedisError, type Redis } from '../redis/connection.js';
import { runScript } from '../redis/script.js';
import { crawlNotFound } from './crawl-status.js';
import { shardKeys } from './keys.js';
import { SCRIPTS } from './scripts.js';

/** Roots of one step. */
const ROOTS_STEP = 1000;

/**
 * Add roots; new ones raise the crawl's version, so that every worker compiles its scope anew.
 *
 * @throws FRONTIER_CRAWL_NOT_FOUND; FRONTIER_UNAVAILABLE (retryable)
 */
export async function addScopeRoots(
  redis: Redis,
  crawlId: string,
  roots: readonly string[],
): Promise<void> {
  const keys = shardKeys(crawlId);
  const distinct = [...new Set(roots)];
  for (let from = 0; from < distinct.length; from += ROOTS_STEP) {
    const [status] = (await runScript(
      redis,
      SCRIPTS.addRoots,
      [keys.crawl, keys.roots],
      distinct.slice(from, from + ROOTS_STEP),
    )) as [string, number];
    if (status === 'no_crawl') throw crawlNotFound(crawlId);
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
