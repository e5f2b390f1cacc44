/** The only place that builds what activities depend on. */
import { resolve } from 'node:path';
import type { ActivityDeps, CrawlStore } from '../activities/deps.js';
import type { CrawlError } from '../errors.js';
import { CookieJars } from '../fetch/cookies.js';
import { createFetcher } from '../fetch/fetcher.js';
import { RedisGate, type GateOptions } from '../frontier/gate.js';
import { RedisFrontier, type FrontierTimes } from '../frontier/redis-frontier.js';
import { RobotsStore } from '../frontier/robots-store.js';
import { addScopeRoots, readScopeRoots } from '../frontier/scope-roots.js';
import { newWriterId, openJsonlSink } from '../output/jsonl-sink.js';
import type { PageSink } from '../output/sink.js';
import { connectRedis, type Redis } from '../redis/connection.js';

export interface ComposeOptions {
  readonly redisUrl: string;
  /** Times that tests shorten. */
  readonly frontierTimes?: FrontierTimes;
  readonly gate?: GateOptions;
  readonly onRedisError?: (error: Error) => void;
  /** Hears of trouble that is ours (Redis, disk), each time that it fails an activity's attempt. */
  readonly onTrouble?: (error: CrawlError) => void;
}

/** Dependencies of one worker process. */
export interface Composed {
  readonly deps: ActivityDeps;
  readonly redis: Redis;
  /** End turns after their running page from now on. */
  drain(): void;
  close(): Promise<void>;
}

/** Sinks and stores kept open; the least recently used go. */
const MAX_OPEN_CRAWLS = 100;

export function compose(options: ComposeOptions): Composed {
  const redis = connectRedis(options.redisUrl, options.onRedisError);
  const fetcher = createFetcher();
  const writer = newWriterId();
  const stores = new Recent<CrawlStore>(MAX_OPEN_CRAWLS);
  const sinks = new Recent<PageSink>(MAX_OPEN_CRAWLS, (sink) => void sink.close().catch(() => {}));
  let isDraining = false;

  const openStore = (crawlId: string): CrawlStore => ({
    frontier: new RedisFrontier(redis, crawlId, options.frontierTimes),
    robots: new RobotsStore(redis, crawlId),
    addScopeRoots: (roots) => addScopeRoots(redis, crawlId, roots),
    readScopeRoots: () => readScopeRoots(redis, crawlId),
  });

  return {
    redis,
    deps: {
      crawl: (crawlId) => stores.of(crawlId, () => openStore(crawlId)),
      gate: new RedisGate(redis, options.gate),
      fetcher,
      jars: new CookieJars(),
      sink: (crawlId, { out }) => {
        const dir = resolve(out, crawlId);
        return sinks.of(dir, () => openJsonlSink({ dir, writer: `${writer}-${sinks.opened}` }));
      },
      isDraining: () => isDraining,
      random: Math.random,
      ...(options.onTrouble && { onTrouble: options.onTrouble }),
    },
    drain: () => {
      isDraining = true;
    },
    async close() {
      await Promise.all(sinks.all().map((sink) => sink.close()));
      await fetcher.close();
      redis.disconnect();
    },
  };
}

/** Things by key, the least recently used let go of. */
class Recent<T> {
  /** How many were ever opened: keeps names of reopened ones apart. */
  opened = 0;
  private readonly kept = new Map<string, T>();
  private readonly most: number;
  private readonly letGo: (thing: T) => void;

  constructor(most: number, letGo: (thing: T) => void = () => {}) {
    this.most = most;
    this.letGo = letGo;
  }

  of(key: string, open: () => T): T {
    let thing = this.kept.get(key);
    if (thing === undefined) {
      this.opened += 1;
      thing = open();
    }
    this.kept.delete(key);
    this.kept.set(key, thing);
    const [oldest] = this.kept;
    if (this.kept.size > this.most && oldest) {
      this.kept.delete(oldest[0]);
      this.letGo(oldest[1]);
    }
    return thing;
  }

  all(): T[] {
    return [...this.kept.values()];
  }
}
