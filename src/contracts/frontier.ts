/**
 * The frontier as the rest of the engine sees it: what may be asked, what comes back. Whoever
 * implements it does each call in one atomic step, idempotent under the caller's (owner, turn,
 * attempt, seq), with the store's own clock.
 */
import type { AdjustableSettings, CrawlSettings } from './settings.js';
import type { DiscoveredUrl, QueuedUrl, SkipReason, TrapRule, UrlKind } from './urls.js';

/** States of a crawl. The last three are final until somebody resumes it. */
export type CrawlState =
  'preparing' | 'running' | 'paused' | 'stopping' | 'finished' | 'failed' | 'cancelled';

/** Why a crawl is ending or ended. */
export type FinishReason =
  'completed' | 'pageLimit' | 'maxDuration' | 'stopped' | 'cancelled' | 'failed';

/** States of a host. `new` and `nominated` are on the way to `active`. */
export type HostStateName =
  'pending' | 'nominated' | 'active' | 'waiting' | 'idle' | 'paused' | 'blocked' | 'exhausted';

/** Who acts for a host: fences every older run chain, turn and attempt. */
export interface Claim {
  readonly hostKey: string;
  /** `<13-digit start ms of the run chain>:<its first run id>`; a later start wins. */
  readonly owner: string;
  /** Counts the activities of the run chain, from 1. */
  readonly turn: number;
  /** Attempt of that activity, from 1. */
  readonly attempt: number;
}

/** What became of the leased URL. */
export interface Completion {
  /** Names the lease: must be the leased URL. */
  readonly url: string;
  readonly outcome:
    | 'fetched'
    | 'redirected'
    | 'notModified'
    | 'duplicate'
    | 'skipped'
    | 'failed'
    /** Back to the queue with attempts + 1, due after `dueInMs`. */
    | 'retrying'
    /** Back to the front of the queue as it was. */
    | 'released';
  /** Skip reason or error code. */
  readonly reason?: string;
  /** A failure that somebody may want to requeue: kept as a dead letter. */
  readonly deadLetter?: boolean;
  /** Decoded body bytes stored. */
  readonly bytes?: number;
  readonly dueInMs?: number;
  /** Links of the page that were not admitted, by reason. */
  readonly rejected?: Partial<Record<SkipReason, number>>;
  /** Of a fetched page: `textDigest` of its record, by which the frontier counts alike pages. */
  readonly textDigest?: string;
}

/** A pause of the host that the caller is about to make. */
export interface HostWait {
  readonly waitMs: number;
  /** For people: why not yet. */
  readonly reason: string;
}

/** One call of complete-and-lease. */
export interface TurnStep {
  readonly claim: Claim;
  /**
   * Counts the steps of this attempt that record something, from 1, so that a repeated call changes
   * nothing. Required with `completion` and `hostOutcome`.
   */
  readonly seq?: number;
  readonly completion?: Completion;
  /** Lease the next URL, or say why there is none. Default true. */
  readonly lease?: boolean;
  /** The caller waits before it goes on; the host is not overdue until then. */
  readonly wait?: HostWait;
  /** How the host answered: a failure counts up, a success forgives. */
  readonly hostOutcome?: 'ok' | 'failure';
  /** The host is given up: what is queued becomes dead letters (drainHost). */
  readonly block?: string;
  /** Time after which the host counts as overdue, beyond `wait`. Default 120 s. */
  readonly leaseMs?: number;
}

/** Reply of complete-and-lease. `version` is that of the crawl's settings. */
export type TurnReply =
  | {
      readonly status: 'lease';
      readonly version: number;
      readonly item: QueuedUrl;
      readonly queued: number;
      readonly hostFailures: number;
      /** Ms since the first of these consecutive failures. */
      readonly failingForMs: number;
      /** Hosts that count as active now, this one included. */
      readonly activeHosts: number;
    }
  | {
      readonly status: 'wait';
      readonly version: number;
      readonly waitMs: number;
      readonly reason: string;
    }
  /** Nothing queued; nobody needs to run this host until something is. */
  | { readonly status: 'idle'; readonly version: number }
  /** No place among the active hosts; the host is pending again. */
  | { readonly status: 'noPlace'; readonly version: number }
  | { readonly status: 'paused'; readonly version: number; readonly reason: string }
  | { readonly status: 'exhausted'; readonly version: number }
  | { readonly status: 'blocked'; readonly version: number; readonly reason: string }
  /** The crawl is stopping or over. */
  | { readonly status: 'stopped'; readonly version: number; readonly state: CrawlState }
  /** A later owner, turn or attempt has the host. */
  | {
      readonly status: 'fenced';
      readonly version: number;
      readonly owner: string;
      readonly turn: number;
    }
  /** The completion was recorded and no lease was asked for. */
  | { readonly status: 'done'; readonly version: number };

/** All counters of a crawl. */
export interface CrawlTotals {
  /** Distinct URLs admitted (pages; sitemaps are counted apart). */
  readonly discovered: number;
  /** Queued, leased or waiting for a retry. */
  readonly outstanding: number;
  /** Queued at hosts that reached their limit. */
  readonly held: number;
  readonly leased: number;
  readonly fetched: number;
  readonly redirected: number;
  readonly notModified: number;
  readonly duplicate: number;
  readonly skipped: number;
  readonly failed: number;
  readonly retries: number;
  readonly sitemaps: number;
  readonly bytes: number;
  readonly hosts: number;
  readonly deadLetters: number;
  /** URLs held back as crawl traps: neither queued nor discovered, listed for whoever wants them. */
  readonly trapped: number;
  /** Final skips of admitted URLs, by reason. */
  readonly skips: Readonly<Record<string, number>>;
  /** Links that were not admitted, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Hosts with work and no run; hosts with a run; hosts that hold a place. */
  readonly pendingHosts: number;
  readonly runningHosts: number;
  readonly placedHosts: number;
}

/** State and settings of a crawl. */
export interface CrawlStatus {
  readonly crawlId: string;
  readonly version: number;
  readonly state: CrawlState;
  readonly finishReason: FinishReason | null;
  readonly createdAtMs: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number | null;
  /** When the parent workflow last asked for hosts. */
  readonly parentSeenAtMs: number | null;
  readonly settings: CrawlSettings;
  readonly seeds: readonly string[];
  /** Seeds were announced that have not been added: they are on their way, or their process died. */
  readonly isMissingSeeds: boolean;
  readonly totals: CrawlTotals;
  /** URLs that the seen filter is expected to have skipped wrongly; 0 for an exact one. */
  readonly expectedFalseSkips: number;
}

/** One nominated host. */
export interface Nomination {
  readonly hostKey: string;
  readonly why: 'pending' | 'overdue';
}

/** Reply of next-hosts. */
export interface NextHosts {
  readonly version: number;
  readonly state: CrawlState;
  readonly finishReason: FinishReason | null;
  readonly hosts: readonly Nomination[];
  readonly totals: CrawlTotals;
  /** Nothing is outstanding, or the crawl is stopping and no host runs any more. */
  readonly isDone: boolean;
  /** Something is outstanding though no host is pending or running: recount. */
  readonly needsRecount: boolean;
  /** A later parent has taken over. */
  readonly isFenced: boolean;
}

/** One host as people see it. */
export interface HostStatus {
  readonly hostKey: string;
  readonly state: HostStateName;
  readonly queued: number;
  readonly fetched: number;
  readonly redirected: number;
  readonly skipped: number;
  readonly failed: number;
  readonly bytes: number;
  /** When the next fetch may come; null when nothing is planned. */
  readonly nextAtMs: number | null;
  /** Why not yet. */
  readonly reason: string | null;
  readonly leasedUrl: string | null;
  readonly consecutiveFailures: number;
}

/** A URL that was given up and can be requeued. */
export interface DeadLetter extends QueuedUrl {
  readonly reason: string;
  readonly atMs: number;
}

/** How many of the offered URLs were new. */
export interface AddReply {
  readonly added: number;
  readonly seen: number;
  /** Held back as crawl traps, those included that were before. */
  readonly held: number;
  /** To be held back too, but the list of those is full. */
  readonly unlisted: number;
}

/** The page that URLs were found on. */
export interface FoundOn {
  readonly hostKey: string;
  readonly textDigest: string;
}

/** A URL that is held back as a crawl trap. */
export interface HeldUrl extends QueuedUrl {
  readonly hostKey: string;
  readonly rule: TrapRule;
}

/** Some held URLs; `cursor` leads to the next ones, null after the last. */
export interface HeldPage {
  readonly urls: readonly HeldUrl[];
  readonly cursor: string | null;
}

/** What a new crawl starts with. */
export interface NewCrawl {
  readonly settings: CrawlSettings;
  readonly seeds: readonly string[];
  /** Further seeds follow: see {@link CrawlStatus.isMissingSeeds}. */
  readonly moreSeeds?: boolean | undefined;
}

/** Frontier of one crawl. */
export interface Frontier {
  readonly crawlId: string;
  /** @throws FRONTIER_CRAWL_EXISTS unless the same call already made it */
  create(crawl: NewCrawl, requestId: string): Promise<void>;
  /** @throws FRONTIER_CRAWL_NOT_FOUND */
  status(): Promise<CrawlStatus>;
  /** Settings by version; read from the store only when the version is new to this process. */
  settings(version: number): Promise<CrawlSettings>;
  /**
   * Any number of URLs; sent in steps of at most 500. What pages like `page` led to so far decides
   * whether they are queued, queued behind everything else or held back.
   */
  addUrls(urls: readonly DiscoveredUrl[], page?: FoundOn): Promise<AddReply>;
  completeAndLease(step: TurnStep): Promise<TurnReply>;
  nextHosts(request: {
    /** `<13-digit start ms>:<run id>` of the parent's run chain. */
    owner: string;
    /** Names the request: asked again, it gets the same hosts. */
    requestId: string;
    max: number;
  }): Promise<NextHosts>;
  /** Move the crawl to another state; refused moves throw FRONTIER_CRAWL_STATE. */
  setState(state: CrawlState, reason?: FinishReason): Promise<number>;
  adjust(settings: Partial<AdjustableSettings>): Promise<number>;
  /** The last of the seeds that {@link NewCrawl.moreSeeds} announced has been added. */
  seedsAreAllThere(): Promise<void>;
  /** Hosts by key, a page at a time. */
  hosts(page: { after?: string; limit: number }): Promise<readonly HostStatus[]>;
  /** Keys of the hosts that may have a living workflow, a page at a time. */
  liveHosts(page: { after?: string; limit: number }): Promise<readonly string[]>;
  /** Make hosts that have work pending again, a page at a time. @returns the next `after`, or null */
  reopen(page: { after?: string; limit: number; overdue: boolean }): Promise<string | null>;
  /** Count what is really queued and mend the totals; only while no host runs. */
  recount(): Promise<void>;
  /**
   * One bounded step of turning a blocked host's queue into dead letters: confirms the items that
   * the last step returned, returns the next ones. Empty when done, and when the host was given
   * another chance meanwhile. `reason`: default the one that it was blocked for.
   */
  drainHost(
    claim: Claim,
    confirmed: readonly QueuedUrl[],
    limit: number,
    reason?: string,
  ): Promise<readonly QueuedUrl[]>;
  deadLetters(page: { offset: number; limit: number }): Promise<readonly DeadLetter[]>;
  /** Put up to `limit` dead letters back into their queues, at most 500 a call. @returns how many */
  requeueDeadLetters(limit: number): Promise<number>;
  /** URLs held back as crawl traps, about `limit` at a time, in no order. */
  heldUrls(page: { cursor?: string; limit: number }): Promise<HeldPage>;
  /**
   * Queue up to `limit` held URLs, at most 1,000 a call, whatever the quota of hosts says.
   * `requestId` names the request: sent again, it changes nothing. @returns how many
   */
  requeueHeld(limit: number, requestId?: string): Promise<number>;
  /** Remove everything of the crawl, in bounded steps. */
  delete(): Promise<void>;
}

/** Names of the seen filter's kinds. */
export type DedupeKind = CrawlSettings['dedupe'];
export type { UrlKind };
