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
  FoundOn,
  Frontier,
  HeldPage,
  HostStatus,
  NewCrawl,
  NextHosts,
  TurnReply,
  TurnStep,
} from '../contracts/frontier.js';
import type { AdjustableSettings, CrawlSettings } from '../contracts/settings.js';
import type { DiscoveredUrl, QueuedUrl } from '../contracts/urls.js';
import { FrontierError } from '../errors.js';
import { explainRedisError, type Redis } from '../redis/connection.js';
import { runScript, type ScriptReply } from '../redis/script.js';
import { crawlNotFound, readCrawlStatus } from './crawl-status.js';
import { changeRecord, scriptLimits } from './crawl-changes.js';
import {
  deleteCrawl,
  FINAL_STATES,
  listCrawl,
  scheduleExpiry,
  unscheduleExpiry,
} from './crawl-directory.js';
import { drainHost, readDeadLetters, requeueDeadLetters } from './dead-letters.js';
import { readHosts, readLiveHosts } from './host-status.js';
import { readHeldUrls, requeueHeld } from './held-urls.js';
import { resolveTimes, type FrontierTimes } from './frontier-times.js';
import { claimArgs, claimedHostKeys } from './claimed-host.js';
import { shardKeys, type ShardKeys } from './keys.js';
import { packItem } from './packed-item.js';
import { recountHosts, reopenHosts, type ReopenPage } from './reopening.js';
import { parseNextHosts, parseTotals, parseTurnReply, SCRIPTS } from './scripts.js';
import { explainCreateError, missingFilter } from './seen-filter.js';
import { encodeStep } from './turn-step.js';

export type { FrontierTimes } from './frontier-times.js';

/** URLs of one add-urls call; keeps a script under a millisecond or two. */
const ADD_STEP = 500;
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
    this.times = resolveTimes(times);
  }

  async create(crawl: NewCrawl, requestId: string): Promise<void> {
    const { settings, seeds, moreSeeds } = crawl;
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
        moreSeeds === true ? '1' : '',
      ],
    ).catch((error: unknown) => {
      throw explainCreateError(error);
    });
    if (reply === 'exists') {
      throw new FrontierError(
        'FRONTIER_CRAWL_EXISTS',
        `crawlId: "${this.crawlId}" exists already; resume it, delete it or choose another id`,
      );
    }
    await listCrawl(this.redis, this.crawlId);
  }

  async seedsAreAllThere(): Promise<void> {
    await this.redis.hdel(this.keys.crawl, 'moreSeeds').catch((error: unknown) => {
      throw explainRedisError(error);
    });
  }

  status(): Promise<CrawlStatus> {
    return readCrawlStatus(this.redis, this.crawlId, this.keys);
  }

  async settings(version: number): Promise<CrawlSettings> {
    if (this.known?.version !== version) {
      const [text, read] = await this.redis
        .hmget(this.keys.crawl, 'settings', 'v')
        .catch((error: unknown) => {
          throw explainRedisError(error);
        });
      if (!text) throw crawlNotFound(this.crawlId);
      this.known = { version: Number(read), settings: JSON.parse(text) as CrawlSettings };
    }
    return this.known.settings;
  }

  async addUrls(urls: readonly DiscoveredUrl[], page?: FoundOn): Promise<AddReply> {
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
      k.trapped,
      k.alikePrefix,
      k.forgottenPrefix,
    ];
    const found = [page?.hostKey ?? '', page?.textDigest ?? ''];
    const sum = { added: 0, seen: 0, held: 0, unlisted: 0 };
    for (let from = 0; from < urls.length; from += ADD_STEP) {
      const args = urls.slice(from, from + ADD_STEP).flatMap(addArgs);
      const reply = (await runScript(this.redis, SCRIPTS.addUrls, keys, [
        ...found,
        ...args,
      ])) as ScriptReply[];
      if (reply[0] === 'no_crawl') throw crawlNotFound(this.crawlId);
      if (reply[0] !== 'ok') throw missingFilter(this.crawlId, String(reply[1]));
      sum.added += Number(reply[1]);
      sum.seen += Number(reply[2]);
      sum.held += Number(reply[3]);
      sum.unlisted += Number(reply[4]);
    }
    return sum;
  }

  async completeAndLease(step: TurnStep): Promise<TurnReply> {
    const { claim, leaseMs, ...rest } = step;
    const reply = await runScript(
      this.redis,
      SCRIPTS.completeAndLease,
      [
        ...claimedHostKeys(this.keys, claim),
        this.keys.alikePrefix + claim.hostKey,
        this.keys.forgottenPrefix + claim.hostKey,
      ],
      [
        ...claimArgs(claim),
        leaseMs ?? this.times.leaseMs,
        encodeStep(rest),
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
      [
        k.crawl,
        k.totals,
        k.pending,
        k.running,
        k.placed,
        k.lingering,
        k.nomination,
        k.hostPrefix,
        k.trapped,
      ],
      [request.owner, request.requestId, request.max, this.times.nominatedMs],
    )) as ScriptReply[];
    if (reply[0] === 'no_crawl') throw crawlNotFound(this.crawlId);
    if (reply[0] === 'fenced') {
      return {
        version: 0,
        state: 'running',
        finishReason: null,
        hosts: [],
        totals: parseTotals({}, { pendingHosts: 0, runningHosts: 0, placedHosts: 0, trapped: 0 }),
        isDone: false,
        needsRecount: false,
        isFenced: true,
      };
    }
    return parseNextHosts(reply);
  }

  async setState(state: CrawlState, reason?: FinishReason): Promise<number> {
    const change = reason === undefined ? { state } : { state, reason };
    // Without new settings nobody can have changed them meanwhile.
    const version = (await changeRecord(this.redis, this.crawlId, change)) ?? 0;
    if (FINAL_STATES.includes(state)) {
      const { keepMs } = await this.settings(version);
      await scheduleExpiry(this.redis, this.crawlId, keepMs);
    } else {
      await unscheduleExpiry(this.redis, this.crawlId);
    }
    return version;
  }

  async adjust(adjustments: Partial<AdjustableSettings>): Promise<number> {
    for (;;) {
      const { version: base, settings } = await this.status();
      const next = { base, settings: { ...settings, ...adjustments } };
      const version = await changeRecord(this.redis, this.crawlId, { next });
      if (version !== null) return version;
    }
  }

  hosts(page: { after?: string; limit: number }): Promise<readonly HostStatus[]> {
    return readHosts(this.redis, this.keys, page);
  }

  liveHosts(page: { after?: string; limit: number }): Promise<readonly string[]> {
    return readLiveHosts(this.redis, this.keys, page);
  }

  reopen(page: ReopenPage): Promise<string | null> {
    return reopenHosts(this.redis, this.crawlId, page);
  }

  recount(): Promise<void> {
    return recountHosts(this.redis, this.crawlId);
  }

  drainHost(
    claim: Claim,
    confirmed: readonly QueuedUrl[],
    limit: number,
    reason = '',
  ): Promise<readonly QueuedUrl[]> {
    const { leaseMs } = this.times;
    return drainHost(this.redis, this.crawlId, claim, confirmed, { limit, leaseMs, reason });
  }

  deadLetters(page: { offset: number; limit: number }): Promise<readonly DeadLetter[]> {
    return readDeadLetters(this.redis, this.crawlId, page);
  }

  requeueDeadLetters(limit: number): Promise<number> {
    return requeueDeadLetters(this.redis, this.crawlId, limit);
  }

  heldUrls(page: { cursor?: string; limit: number }): Promise<HeldPage> {
    return readHeldUrls(this.redis, this.crawlId, page);
  }

  requeueHeld(limit: number, requestId?: string): Promise<number> {
    return requeueHeld(this.redis, this.crawlId, limit, requestId);
  }

  async delete(): Promise<void> {
    await deleteCrawl(this.redis, this.crawlId, this.keys);
  }
}

/** The five values of a URL in add-urls. */
function addArgs(url: DiscoveredUrl): string[] {
  const { suspicion } = url;
  const flag = suspicion ? (suspicion.weight === 'hold' ? '!' : '~') + suspicion.rule : '';
  return [url.fingerprint, url.hostKey, url.registeredDomain, packItem(url), flag];
}
