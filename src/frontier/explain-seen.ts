/** Whether a crawl has met a URL: its seen filter, what it holds back, its quota. Read-only. */
import type { CrawlSettings } from '../contracts/settings.js';
import { explainRedisError, type Redis } from '../redis/connection.js';
import type { LeveledUrl } from './explain-place.js';
import { shardKeys } from './keys.js';
import { unpackItem } from './packed-item.js';

/** A URL that is held back as a trap. */
export interface TrappedUrl {
  /** Rule that held it back. */
  readonly rule: string;
  readonly item: LeveledUrl;
}

/**
 * Which fingerprints the seen filter has. A Bloom filter takes a new one for a seen one with the
 * chance `bloomErrorRate`; a set never does.
 *
 * @throws FRONTIER_UNAVAILABLE (retryable)
 */
export async function readSeen(
  redis: Redis,
  crawlId: string,
  dedupe: CrawlSettings['dedupe'],
  fingerprints: readonly string[],
): Promise<boolean[]> {
  const { seen } = shardKeys(crawlId);
  const command = dedupe === 'bloom' ? 'BF.EXISTS' : 'SISMEMBER';
  try {
    const replies = await Promise.all(
      fingerprints.map((fingerprint) => redis.call(command, seen, fingerprint)),
    );
    return replies.map((reply) => Number(reply) === 1);
  } catch (error) {
    throw explainRedisError(error);
  }
}

/**
 * Those of the fingerprints that are held back as traps; null for the others.
 *
 * @throws FRONTIER_UNAVAILABLE (retryable)
 */
export async function readTrapped(
  redis: Redis,
  crawlId: string,
  fingerprints: readonly string[],
): Promise<(TrappedUrl | null)[]> {
  try {
    const values = await redis.hmget(shardKeys(crawlId).trapped, ...fingerprints);
    return values.map((value) => {
      if (value === null) return null;
      const [rule = '', , , ...packed] = value.split('\t');
      return { rule, item: unpackItem(packed.join('\t')) };
    });
  } catch (error) {
    throw explainRedisError(error);
  }
}

/**
 * Hosts that a registered domain has in the crawl.
 *
 * @throws FRONTIER_UNAVAILABLE (retryable)
 */
export async function readDomainHosts(
  redis: Redis,
  crawlId: string,
  registeredDomain: string,
): Promise<number> {
  try {
    return Number((await redis.hget(shardKeys(crawlId).domains, registeredDomain)) ?? 0);
  } catch (error) {
    throw explainRedisError(error);
  }
}
