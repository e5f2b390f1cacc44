/** What the client takes and gives, besides the crawl's own contracts. */
import type { Client, ConnectionOptions } from '@temporalio/client';
import type { CrawlAdjustments, CrawlOptions } from '../config/options.js';
import type { CrawlProgress, RefusedSeed } from '../contracts/crawl.js';

/** Options of `CrawlClient`; all optional. */
export interface CrawlClientOptions {
  /**
   * A Temporal `Client` of one's own, or options for a connection that this client opens (lazily)
   * and closes.
   * @default a connection to localhost:7233
   */
  readonly client?: Client | ConnectionOptions;
  /**
   * Task queue of the crawls that are started here; workers must serve the same.
   * @default 'orbweaver'
   */
  readonly taskQueue?: string;
  /**
   * Namespace; only where the client opens the connection itself, a `Client` has its own.
   * @default 'default'
   */
  readonly namespace?: string;
  /**
   * How long an answer of a worker is waited for, in milliseconds, before CONFIG_SERVER_UNAVAILABLE.
   * @default 30000
   */
  readonly answerTimeoutMs?: number;
}

/** What a crawl is started with: its options, and its name. */
export interface StartCrawlOptions extends CrawlOptions {
  /**
   * 1 to 64 letters, digits, `.`, `_`, `-`; names the workflow, the keys in Redis and the folder.
   * @default the first seed's host, the time and four random characters
   */
  readonly crawlId?: string;
}

/** What a crawl is resumed with; what is not given stays. */
export interface ResumeCrawlOptions extends CrawlAdjustments {
  /** More seeds; at most some 400 KiB of them, `addSeeds` takes any number. */
  readonly seeds?: readonly string[];
}

/** Status of a crawl's workflow in Temporal. */
export type CrawlWorkflowStatus =
  | 'RUNNING'
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELLED'
  | 'TERMINATED'
  | 'CONTINUED_AS_NEW'
  | 'TIMED_OUT'
  | 'PAUSED'
  | 'UNSPECIFIED'
  | 'UNKNOWN';

/** Progress of a crawl, and what Temporal says of its workflow. */
export interface CrawlView extends CrawlProgress {
  /**
   * Null where Temporal no longer knows a run (its retention has passed). A crawl whose state is
   * running while its workflow is not was interrupted: resume it.
   */
  readonly workflowStatus: CrawlWorkflowStatus | null;
}

/** What became of added seeds. */
export interface AddedSeeds {
  /** Seeds that were given. */
  readonly offered: number;
  /** URLs that were new to the crawl. */
  readonly added: number;
  readonly refusedSeeds: readonly RefusedSeed[];
}

/** Which crawls `list` shows. */
export interface ListCrawlsOptions {
  /** Only those whose workflow has this status. */
  readonly status?: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TERMINATED' | 'TIMED_OUT';
  /** Only those on this task queue. */
  readonly taskQueue?: string;
  /** At most so many. @default no limit */
  readonly limit?: number;
}

/** One crawl of a list, as Temporal's visibility knows it: seconds old at most. */
export interface ListedCrawl {
  readonly crawlId: string;
  readonly status: CrawlWorkflowStatus;
  /** Start of the newest run chain: of the last resume where there was one. */
  readonly startTime: Date;
  readonly closeTime: Date | null;
  readonly taskQueue: string;
  readonly workflowId: string;
}
