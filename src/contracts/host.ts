/** What goes into a host's workflow, what it tells and what it returns. JSON only. */
import type { HostStateName } from './frontier.js';
import type { WorkflowTuning } from './crawl.js';

/** Input of hostWorkflow. */
export interface HostInput {
  readonly crawlId: string;
  readonly hostKey: string;
  readonly tuning?: WorkflowTuning;
  /** Carried through continue-as-new; never given by people. */
  readonly carried?: HostCarried;
}

/** State of hostWorkflow that outlives a run. */
export interface HostCarried {
  /** `<13-digit start ms>:<first run id>` of the run chain. */
  readonly owner: string;
  readonly turn: number;
  readonly progress: HostProgress;
}

/** Progress of a host, as its query and its current details tell it. */
export interface HostProgress {
  readonly hostKey: string;
  readonly state: HostStateName;
  /** Counted by this run chain. */
  readonly fetched: number;
  readonly redirected: number;
  readonly skipped: number;
  readonly failed: number;
  readonly retried: number;
  readonly bytes: number;
  readonly turns: number;
  readonly queued: number;
  /** What it did last. */
  readonly lastUrl: string | null;
  readonly lastOutcome: string | null;
  /** What it does next, when, and why not yet. */
  readonly nextUrl: string | null;
  readonly nextAt: string | null;
  readonly reason: string | null;
}

/** Result of hostWorkflow. */
export type HostResult = HostProgress;
