/**
 * The frontier of one crawl, kept in Redis: every method is one atomic script or a read. Each may
 * be called again after a lost reply.
 */
import type {
  AddReply,
  Claim,
  CrawlState,
  CrawlStatus,
  DeadLetter,
  FinishReason,
  Frontier,
  HostStatus,
  NewCrawl,
  NextHosts,
  TurnReply,
  TurnStep,
} from '../contracts/frontier.js';
import type { AdjustableSettings, CrawlSettings } from '../contracts/settings.js';
import type { DiscoveredUrl, QueuedUrl } from '../contracts/urls.js';
import { FrontierError } from '../errors.js';
import type { Redis } from '../redis/connection.js';
import { runScript, type ScriptReply } from '../redis/script.js';
import { crawlNotFound, readCrawlStatus } from './crawl-status.js';
import { deleteCrawl, listCrawl, scheduleExpiry, unscheduleExpiry } from './crawl-directory.js';
import { readHosts, readLiveHosts } from './host-status.js';
import { shardKeys, type ShardKeys } from './keys.js';
import { packItem, unpackItem } from './packed-item.js';
import { parseNextHosts, parseTotals, parseTurnReply, SCRIPTS } from './scripts.js';

/** URLs of one add-urls call; keeps a script under a millisecond or two. */
const ADD_STEP = 500;
/** After this silence of the parent, hosts park themselves. */
export const PARENT_SILENT_MS = 15 * 60_000;
/** A wait from here on gives up the host's place among the active. */
export const PLACE_WAIT_MS = 5 * 60_000;
/** A host is overdue this long after the end of what it announced. */
export const LEASE_MS = 120_000;
/** A nominated host is overdue after this. */
export const NOMINATED_MS = 60_000;

/** Times that tests shorten; defaults above. */
export interface FrontierTimes {
  readonly parentSilentMs?: number;
  readonly placeWaitMs?: number;
  readonly leaseMs?: number;
  readonly nominatedMs?: number;
}

export class RedisFrontier implements Frontier {
  readonly crawlId: string;
  private readonly redis: Redis;
  private readonly keys: ShardKeys;
  private readonly times: Required<FrontierTimes>;
  private known: { version: number; settings: CrawlSettings } | undefined;

  constructor(redis: Redis, crawlId: string, times: FrontierTimes = {}) {
    this.redis = redis;
    this.crawlId = crawlId;
    this.keys = shardKeys(crawlId);
    this.times = {
      parentSilentMs: times.parentSilentMs ?? PARENT_SILENT_MS,
      placeWaitMs: times.placeWaitMs ?? PLACE_WAIT_MS,
      leaseMs: times.leaseMs ?? LEASE_MS,
      nominatedMs: times.nominatedMs ?? NOMINATED_MS,
    };
  }

  async create(crawl: NewCrawl, requestId: string): Promise<void> {
    const { settings, seeds } = crawl;
    const k = this.keys;
    const reply = await runScript(
      this.redis,
      SCRIPTS.createCrawl,
      [k.crawl, k.totals, k.seen],
      [
        requestId,
        JSON.stringify(settings),
        JSON.stringify(seeds),
        settings.dedupe,
        settings.bloomErrorRate,
        settings.bloomCapacity,
        JSON.stringify(scriptLimits(settings)),
      ],
    );
    if (reply === 'exists') {
      throw new FrontierError(
        'FRONTIER_CRAWL_EXISTS',
        `crawlId: "${this.crawlId}" exists already; resume it, delete it or choose another id`,
      );
    }
    await listCrawl(this.redis, this.crawlId);
  }

  status(): Promise<CrawlStatus> {
    return readCrawlStatus(this.redis, this.crawlId, this.keys);
  }

  async settings(version: number): Promise<CrawlSettings> {
    if (this.known?.version !== version) {
      const [text, read] = await this.redis.hmget(this.keys.crawl, 'settings', 'v');
      if (!text) throw crawlNotFound(this.crawlId);
      this.known = { version: Number(read), settings: JSON.parse(text) as CrawlSettings };
    }
    return this.known.settings;
  }

  async addUrls(urls: readonly DiscoveredUrl[]): Promise<AddReply> {
    const k = this.keys;
    const keys = [
      k.crawl,
      k.totals,
      k.seen,
      k.pending,
      k.running,
      k.hosts,
      k.domains,
      k.hostPrefix,
      k.queuePrefix,
    ];
    const sum = { added: 0, seen: 0, refused: 0 };
    for (let from = 0; from < urls.length; from += ADD_STEP) {
      const args = urls
        .slice(from, from + ADD_STEP)
        .flatMap((url) => [url.fingerprint, url.hostKey, url.registeredDomain, packItem(url)]);
      const reply = (await runScript(this.redis, SCRIPTS.addUrls, keys, args)) as ScriptReply[];
      if (reply[0] !== 'ok') throw crawlNotFound(this.crawlId);
      sum.added += Number(reply[1]);
      sum.seen += Number(reply[2]);
      sum.refused += Number(reply[3]);
    }
    return sum;
  }

  async completeAndLease(step: TurnStep): Promise<TurnReply> {
    const k = this.keys;
    const { claim, leaseMs, ...rest } = step;
    const reply = await runScript(
      this.redis,
      SCRIPTS.completeAndLease,
      [
        k.crawl,
        k.totals,
        k.pending,
        k.running,
        k.placed,
        k.lingering,
        k.hostPrefix + claim.hostKey,
        k.duePrefix + claim.hostKey,
        k.queuePrefix + claim.hostKey,
        k.deadLetters,
      ],
      [
        ...claimArgs(claim),
        leaseMs ?? this.times.leaseMs,
        JSON.stringify(wholeNumbers(rest)),
        this.times.parentSilentMs,
        this.times.placeWaitMs,
      ],
    );
    return parseTurnReply(reply);
  }

  async nextHosts(request: { owner: string; requestId: string; max: number }): Promise<NextHosts> {
    const k = this.keys;
    const reply = (await runScript(
      this.redis,
      SCRIPTS.nextHosts,
      [k.crawl, k.totals, k.pending, k.running, k.placed, k.lingering, k.nomination, k.hostPrefix],
      [request.owner, request.requestId, request.max, this.times.nominatedMs],
    )) as ScriptReply[];
    if (reply[0] === 'no_crawl') throw crawlNotFound(this.crawlId);
    if (reply[0] === 'fenced') {
      return {
        version: 0,
        state: 'running',
        finishReason: null,
        hosts: [],
        totals: parseTotals({}, { pendingHosts: 0, runningHosts: 0, placedHosts: 0 }),
        isDone: false,
        needsRecount: false,
        isFenced: true,
      };
    }
    return parseNextHosts(reply);
  }

  async setState(state: CrawlState, reason?: FinishReason): Promise<number> {
    const version = await this.change(state, reason ?? '', null);
    const isOver = state === 'finished' || state === 'failed' || state === 'cancelled';
    if (isOver) {
      const { keepMs } = await this.settings(version);
      await scheduleExpiry(this.redis, this.crawlId, keepMs);
    } else {
      await unscheduleExpiry(this.redis, this.crawlId);
    }
    return version;
  }

  async adjust(adjustments: Partial<AdjustableSettings>): Promise<number> {
    for (;;) {
      const { version, settings } = await this.status();
      const changed = await this.change('', '', {
        base: version,
        ...{ settings: { ...settings, ...adjustments } },
      });
      if (changed !== 0) return changed;
    }
  }

  hosts(page: { after?: string; limit: number }): Promise<readonly HostStatus[]> {
    return readHosts(this.redis, this.keys, page);
  }

  liveHosts(page: { after?: string; limit: number }): Promise<readonly string[]> {
    return readLiveHosts(this.redis, this.keys, page);
  }

  async reopen(page: { after?: string; limit: number; overdue: boolean }): Promise<string | null> {
    return this.reopenPage(page, false);
  }

  async recount(): Promise<void> {
    let after: string | null = '';
    while (after !== null) {
      after = await this.reopenPage({ after, limit: 500, overdue: false }, true);
    }
  }

  async drainHost(
    claim: Claim,
    confirmed: readonly QueuedUrl[],
    limit: number,
    reason = 'blocked',
  ): Promise<readonly QueuedUrl[]> {
    const k = this.keys;
    const packed = confirmed.map((item) => packItem(item as QueuedUrl & { level: number }));
    const reply = (await runScript(
      this.redis,
      SCRIPTS.drainHost,
      [
        k.totals,
        k.pending,
        k.running,
        k.placed,
        k.lingering,
        k.hostPrefix + claim.hostKey,
        k.duePrefix + claim.hostKey,
        k.queuePrefix + claim.hostKey,
        k.deadLetters,
      ],
      [...claimArgs(claim), limit, reason, this.times.leaseMs, ...packed],
    )) as string[];
    return reply[0] === 'ok' ? reply.slice(1).map(unpackItem) : [];
  }

  async deadLetters(page: { offset: number; limit: number }): Promise<readonly DeadLetter[]> {
    const texts = await this.redis.lrange(
      this.keys.deadLetters,
      page.offset,
      page.offset + page.limit - 1,
    );
    return texts.map((text) => {
      const letter = JSON.parse(text) as { item: string; reason: string; atMs: number };
      return { ...unpackItem(letter.item), reason: letter.reason, atMs: letter.atMs };
    });
  }

  async requeueDeadLetters(limit: number): Promise<number> {
    const k = this.keys;
    const reply = await runScript(
      this.redis,
      SCRIPTS.requeueDeadLetters,
      [
        k.totals,
        k.pending,
        k.running,
        k.placed,
        k.lingering,
        k.deadLetters,
        k.hostPrefix,
        k.queuePrefix,
      ],
      [limit],
    );
    return Number(reply);
  }

  async delete(): Promise<void> {
    await deleteCrawl(this.redis, this.crawlId, this.keys);
  }

  /** @returns the new version, or 0 when the settings were changed meanwhile */
  private async change(
    state: CrawlState | '',
    reason: string,
    next: { base: number; settings: CrawlSettings } | null,
  ): Promise<number> {
    const [status, detail] = (await runScript(
      this.redis,
      SCRIPTS.setState,
      [this.keys.crawl, this.keys.totals],
      [
        state,
        reason,
        next ? JSON.stringify(next.settings) : '',
        next ? JSON.stringify(scriptLimits(next.settings)) : '',
        next?.base ?? 0,
      ],
    )) as [string, ScriptReply];
    if (status === 'no_crawl') throw crawlNotFound(this.crawlId);
    if (status === 'changed') return 0;
    if (status === 'refused') {
      throw new FrontierError(
        'FRONTIER_CRAWL_STATE',
        `crawl "${this.crawlId}" is ${String(detail)} and can't become ${state}`,
        { details: { state: detail, target: state } },
      );
    }
    return Number(detail);
  }

  private async reopenPage(
    page: { after?: string; limit: number; overdue: boolean },
    recounts: boolean,
  ): Promise<string | null> {
    const k = this.keys;
    const [next] = (await runScript(
      this.redis,
      SCRIPTS.reopenHosts,
      [
        k.crawl,
        k.totals,
        k.pending,
        k.running,
        k.placed,
        k.lingering,
        k.hosts,
        k.hostPrefix,
        k.queuePrefix,
        k.duePrefix,
      ],
      [page.after ?? '', page.limit, page.overdue ? '1' : '0', recounts ? '1' : '0'],
    )) as [string, number];
    return next === '' ? null : next;
  }
}

function claimArgs(claim: Claim): (string | number)[] {
  return [claim.hostKey, claim.owner, claim.turn, claim.attempt];
}

/** The limits that scripts read one by one; 0 stands for none. */
function scriptLimits(settings: CrawlSettings): Record<string, number> {
  return {
    maxPages: settings.maxPages ?? 0,
    perHostLimit: settings.perHostLimit ?? 0,
    concurrency: settings.concurrency,
    maxHostsPerDomain: settings.maxHostsPerDomain,
    maxDurationMs: settings.maxDurationMs ?? 0,
  };
}

/** Scripts count in whole numbers. */
function wholeNumbers(step: Omit<TurnStep, 'claim' | 'leaseMs'>): object {
  return {
    ...step,
    ...(step.wait && { wait: { ...step.wait, waitMs: Math.ceil(step.wait.waitMs) } }),
    ...(step.completion?.dueInMs !== undefined && {
      completion: { ...step.completion, dueInMs: Math.ceil(step.completion.dueInMs) },
    }),
  };
}
