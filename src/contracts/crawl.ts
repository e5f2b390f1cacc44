/** What goes into a crawl's workflow, what it tells and what it returns. JSON only. */
import type { CrawlState, CrawlTotals, FinishReason } from './frontier.js';
import type { AdjustableSettings } from './settings.js';

/** Input of crawlWorkflow. */
export interface CrawlInput {
  readonly crawlId: string;
  /** Start from these; more may be added later. Not needed to resume. */
  readonly seeds?: readonly string[];
  /**
   * true: further seeds follow by `addSeeds`, and the crawl says so until they are all there; false:
   * these are the last of them.
   */
  readonly moreSeeds?: boolean;
  /** Options in the user's spelling (docs/options.md), validated by the first activity. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Go on with a crawl that this Redis knows, under `options` where given. */
  readonly resume?: boolean;
  readonly tuning?: WorkflowTuning;
  /** Carried through continue-as-new; never given by people. */
  readonly carried?: CrawlCarried;
}

/** Thresholds that tests lower; all optional. */
export interface WorkflowTuning {
  /** History events after which a workflow continues as new. Default 1,000 (host), 2,000 (crawl). */
  readonly maxHistoryEvents?: number;
  /** How long a host without work lingers for a wake. Default 10 s. */
  readonly lingerMs?: number;
  /** Silence after which a turn is given up and tried elsewhere. Default 10 s. */
  readonly heartbeatMs?: number;
}

/** State of crawlWorkflow that outlives a run. */
export interface CrawlCarried {
  readonly owner: string;
  readonly polls: number;
  readonly hostsStarted: number;
  readonly refusedSeeds: readonly RefusedSeed[];
  readonly state?: CrawlState;
  readonly finishReason?: FinishReason | null;
  readonly totals?: CrawlTotals;
}

/**
 * A seed that the crawl can't start from, and why. Where they are more than a message holds, the
 * last entry counts those that are left out: `(n more)`.
 */
export interface RefusedSeed {
  readonly seed: string;
  readonly reason: string;
}

/** Progress of a crawl, as its query and its current details tell it. */
export interface CrawlProgress {
  readonly crawlId: string;
  readonly state: CrawlState;
  readonly finishReason: FinishReason | null;
  readonly totals: CrawlTotals;
  /** Host workflows started by this run chain. */
  readonly hostsStarted: number;
  readonly refusedSeeds: readonly RefusedSeed[];
}

/** Result of crawlWorkflow. */
export interface CrawlResult extends CrawlProgress {
  readonly durationMs: number;
}

/** Signals to a crawl. */
export type CrawlCommand =
  | { readonly kind: 'pause' }
  | { readonly kind: 'unpause' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'adjust'; readonly options: Readonly<Record<string, unknown>> }
  | { readonly kind: 'requeueDeadLetters' }
  /** Queue URLs that are held back as crawl traps: all of them. */
  | { readonly kind: 'requeueHeld' };

/** Settings that may be changed later. */
export type { AdjustableSettings };
