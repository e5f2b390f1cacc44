/** Activities as the workflows see them. All are at-least-once and idempotent. */
import type { CrawlResult, RefusedSeed, CrawlInput } from './crawl.js';
import type {
  CrawlState,
  DeadLetter,
  FinishReason,
  HeldPage,
  HostStatus,
  NextHosts,
} from './frontier.js';
import type { CrawlProgress } from './crawl.js';

/** Input of a turn: one activity's run on a host. */
export interface TurnInput {
  readonly crawlId: string;
  readonly hostKey: string;
  readonly owner: string;
  readonly turn: number;
  /** What the workflow expects to be fetched; a hint for people, the lease decides. */
  readonly nextUrl: string | null;
}

/** Pages of one turn, by outcome. */
export interface TurnCounts {
  readonly fetched: number;
  readonly redirected: number;
  readonly skipped: number;
  readonly failed: number;
  readonly retried: number;
  readonly bytes: number;
}

/** How a turn ended. */
export interface TurnResult {
  readonly status:
    /** Go on, after `waitMs`. */
    | 'more'
    /** The host is out of reach or asked to be left alone: wait, then go on. */
    | 'wait'
    | 'idle'
    | 'noPlace'
    | 'exhausted'
    | 'paused'
    | 'blocked'
    | 'stopped'
    | 'fenced';
  readonly waitMs: number;
  readonly reason: string | null;
  readonly nextUrl: string | null;
  readonly queued: number;
  readonly counts: TurnCounts;
  readonly lastUrl: string | null;
  readonly lastOutcome: string | null;
  /** Owner and turn on record where this turn was fenced. */
  readonly fencedBy?: { readonly owner: string; readonly turn: number };
}

/** Activities on the fetch queue. */
export interface FetchActivities {
  fetchPages(input: TurnInput): Promise<TurnResult>;
}

/** Reply of openCrawl. */
export interface OpenedCrawl {
  readonly refusedSeeds: readonly RefusedSeed[];
  readonly state: CrawlState;
}

/** A change that the parent carries out. */
export interface CrawlChange {
  readonly crawlId: string;
  readonly state?: CrawlState;
  /** The move is refused unless the crawl is in one of these states; default any that may move. */
  readonly from?: readonly CrawlState[];
  readonly finishReason?: FinishReason;
  /** Options in the user's spelling. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly requeueDeadLetters?: boolean;
  readonly requeueHeld?: boolean;
}

/** What a read of a crawl asks for. */
export type ReadRequest =
  | { readonly kind: 'progress'; readonly crawlId: string }
  | {
      readonly kind: 'hosts';
      readonly crawlId: string;
      readonly after?: string;
      readonly limit: number;
    }
  | {
      readonly kind: 'deadLetters';
      readonly crawlId: string;
      readonly offset: number;
      readonly limit: number;
    }
  | {
      readonly kind: 'heldUrls';
      readonly crawlId: string;
      readonly cursor?: string;
      readonly limit: number;
    };

export type ReadReply =
  | { readonly kind: 'progress'; readonly progress: CrawlProgress }
  | { readonly kind: 'hosts'; readonly hosts: readonly HostStatus[] }
  | { readonly kind: 'deadLetters'; readonly letters: readonly DeadLetter[] }
  | ({ readonly kind: 'heldUrls' } & HeldPage);

/** Activities on the frontier queue. */
export interface FrontierActivities {
  /** Make the crawl or reopen it, with its seeds. */
  openCrawl(input: CrawlInput & { readonly requestId: string }): Promise<OpenedCrawl>;
  addSeeds(input: {
    readonly crawlId: string;
    readonly seeds: readonly string[];
    /** false: the last of those that were announced when the crawl was started. */
    readonly moreSeeds?: boolean;
  }): Promise<{ readonly added: number; readonly refusedSeeds: readonly RefusedSeed[] }>;
  /** Wait, heartbeating, until hosts are nominated or the crawl's state changes. */
  nextHosts(input: {
    readonly crawlId: string;
    readonly owner: string;
    readonly requestId: string;
    /** Version that the parent knows; a newer one is news. */
    readonly version: number;
  }): Promise<NextHosts>;
  changeCrawl(input: CrawlChange): Promise<CrawlState>;
  recountCrawl(input: { readonly crawlId: string }): Promise<void>;
  liveHosts(input: {
    readonly crawlId: string;
    readonly after?: string;
  }): Promise<readonly string[]>;
  /** Give a cancelled host's lease back. */
  releaseHost(input: TurnInput): Promise<void>;
  finishCrawl(input: CrawlChange & { readonly startedAtMs: number }): Promise<CrawlResult>;
  readCrawl(request: ReadRequest): Promise<ReadReply>;
}
