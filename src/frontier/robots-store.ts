/** Robots rules of the origins of one crawl, shared by its workers. */
import { explainRedisError, type Redis } from '../redis/connection.js';
import { shardKeys } from './keys.js';

/** What is known of an origin's robots.txt. */
export interface StoredRobots {
  readonly access: 'parse' | 'allowAll' | 'disallowAll';
  /** The file's bytes in base64; the last good copy where access is `disallowAll`, null without one. */
  readonly body: string | null;
  /** Where the file came from after redirects. */
  readonly url: string;
  /** When it is asked again. */
  readonly expiresAtMs: number;
  /** Failures in a row; 0 when the last answer was good. */
  readonly failures: number;
}

/** Rules outlive their expiry by this, as the last good copy. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

export class RobotsStore {
  private readonly redis: Redis;
  private readonly prefix: string;

  constructor(redis: Redis, crawlId: string) {
    this.redis = redis;
    this.prefix = shardKeys(crawlId).robotsPrefix;
  }

  /** @throws FRONTIER_UNAVAILABLE (retryable) */
  async read(origin: string): Promise<StoredRobots | null> {
    try {
      const text = await this.redis.get(this.prefix + origin);
      return text === null ? null : (JSON.parse(text) as StoredRobots);
    } catch (error) {
      throw explainRedisError(error);
    }
  }

  /** @throws FRONTIER_UNAVAILABLE (retryable) */
  async write(origin: string, robots: StoredRobots): Promise<void> {
    try {
      await this.redis.set(this.prefix + origin, JSON.stringify(robots), 'PX', KEPT_MS);
    } catch (error) {
      throw explainRedisError(error);
    }
  }
}
