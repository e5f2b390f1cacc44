/**
 * Where a URL lies in a crawl's frontier. Read-only, a piece at a time, and no further than a bound:
 * a queue may hold millions.
 */
import type { DiscoveredUrl, QueuedUrl, UrlKind } from '../contracts/urls.js';
import { explainRedisError, type Redis } from '../redis/connection.js';
import { shardKeys, type ShardKeys } from './keys.js';
import { unpackItem } from './packed-item.js';

/** Items that one look compares in each of a host's queue, its retries and the dead letters. */
export const MAX_SCANNED = 200_000;
const PIECE = 1000;

/** A queued URL with its priority level: smaller is sooner. */
export type LeveledUrl = QueuedUrl & Pick<DiscoveredUrl, 'level'>;

/** Where an item is, and what is known of it. */
export type Place = { readonly item: LeveledUrl; readonly hostKey: string } & (
  | {
      readonly where: 'queued';
      /** Its place in the host's queue, from 1, sooner levels counted. */
      readonly position: number;
    }
  | { readonly where: 'leased' }
  /** It failed and is tried again. */
  | { readonly where: 'retry'; readonly dueAtMs: number }
  /** It was given up and can be requeued. */
  | { readonly where: 'deadLetter'; readonly reason: string; readonly atMs: number }
);

/** What a look found. */
export interface FoundPlaces {
  /** One per kind at most. */
  readonly places: Partial<Record<UrlKind, Place>>;
  /** Names of what was longer than the bound: the URL may lie in the rest. */
  readonly cutShort: readonly ('queue' | 'retries' | 'deadLetters')[];
}

/** What is looked for. */
export interface PlaceQuery {
  /** Hosts in whose queues it may lie: more than one where the canonical form merges hosts. */
  readonly hostKeys: readonly string[];
  /** Is this the URL? Asked for every item of these hosts. */
  readonly matches: (url: string) => boolean;
  /** Default {@link MAX_SCANNED}. */
  readonly maxScanned?: number;
}

/**
 * Look for a URL in the order in which URLs move (queue, lease, retries, dead letters), so that one
 * that moves on meanwhile is met further down.
 *
 * @throws FRONTIER_UNAVAILABLE (retryable)
 */
export async function findPlaces(
  redis: Redis,
  crawlId: string,
  query: PlaceQuery,
): Promise<FoundPlaces> {
  const look = new Look(redis, shardKeys(crawlId), query);
  try {
    for (const hostKey of query.hostKeys) await look.queue(hostKey);
    for (const hostKey of query.hostKeys) await look.lease(hostKey);
    for (const hostKey of query.hostKeys) await look.retries(hostKey);
    await look.deadLetters();
  } catch (error) {
    throw explainRedisError(error);
  }
  return { places: look.places, cutShort: look.cutShort };
}

class Look {
  readonly places: Partial<Record<UrlKind, Place>> = {};
  readonly cutShort: FoundPlaces['cutShort'][number][] = [];
  private readonly redis: Redis;
  private readonly keys: ShardKeys;
  private readonly query: PlaceQuery;
  private readonly max: number;

  constructor(redis: Redis, keys: ShardKeys, query: PlaceQuery) {
    this.redis = redis;
    this.keys = keys;
    this.query = query;
    this.max = query.maxScanned ?? MAX_SCANNED;
  }

  async queue(hostKey: string): Promise<void> {
    const { hostPrefix, queuePrefix } = this.keys;
    const [lo, hi] = await this.redis.hmget(hostPrefix + hostKey, 'lo', 'hi');
    if (!lo || !hi) return;
    let before = 0;
    let scanned = 0;
    for (let level = Number(lo); level <= Number(hi); level += 1) {
      const key = `${queuePrefix}${hostKey}:${level}`;
      for (let from = 0; ; from += PIECE) {
        const items = await this.redis.lrange(key, from, from + PIECE - 1);
        if (scanned >= this.max && items.length > 0) {
          this.cutShort.push('queue');
          return;
        }
        items.forEach((packed, n) => {
          const position = before + from + n + 1;
          this.offer(packed, (item) => ({ where: 'queued', item, hostKey, position }));
        });
        scanned += items.length;
        if (items.length < PIECE) {
          before += from + items.length;
          break;
        }
      }
    }
  }

  async lease(hostKey: string): Promise<void> {
    const packed = await this.redis.hget(this.keys.hostPrefix + hostKey, 'lease');
    if (packed) this.offer(packed, (item) => ({ where: 'leased', item, hostKey }));
  }

  async retries(hostKey: string): Promise<void> {
    const key = this.keys.duePrefix + hostKey;
    for (let from = 0; ; from += PIECE) {
      const found = await this.redis.zrange(
        key,
        String(from),
        String(from + PIECE - 1),
        'WITHSCORES',
      );
      for (let n = 0; n < found.length; n += 2) {
        const dueAtMs = Number(found[n + 1]);
        this.offer(found[n] ?? '', (item) => ({ where: 'retry', item, hostKey, dueAtMs }));
      }
      if (this.isOver('retries', from, found.length / 2)) return;
    }
  }

  async deadLetters(): Promise<void> {
    for (let from = 0; ; from += PIECE) {
      const texts = await this.redis.lrange(this.keys.deadLetters, from, from + PIECE - 1);
      for (const text of texts) {
        const letter = JSON.parse(text) as DeadLetterRecord;
        if (!this.query.hostKeys.includes(letter.host)) continue;
        const { host, reason, atMs } = letter;
        this.offer(letter.item, (item) => ({
          where: 'deadLetter',
          item,
          hostKey: host,
          reason,
          atMs,
        }));
      }
      if (this.isOver('deadLetters', from, texts.length)) return;
    }
  }

  private isOver(what: FoundPlaces['cutShort'][number], from: number, count: number): boolean {
    if (count < PIECE) return true;
    if (from + count < this.max) return false;
    this.cutShort.push(what);
    return true;
  }

  /** The place furthest on wins: where a URL moved meanwhile, it was met there last. */
  private offer(packed: string, place: (item: LeveledUrl) => Place): void {
    const item = unpackItem(packed);
    if (!this.query.matches(item.url)) return;
    const found = place(item);
    if (this.places[item.kind]?.where !== found.where) this.places[item.kind] = found;
  }
}

interface DeadLetterRecord {
  readonly host: string;
  readonly item: string;
  readonly reason: string;
  readonly atMs: number;
}
