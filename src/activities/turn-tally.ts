/** What a turn has done so far, over all its attempts: told by heartbeats and in its result. */
import type { TurnCounts } from '../contracts/activities.js';
import type { Completion } from '../contracts/frontier.js';

/** Heartbeat details of a turn. */
export interface TallyDetails {
  /** What it is at. */
  readonly url: string | null;
  readonly counts: TurnCounts;
  readonly last: { readonly url: string; readonly outcome: string } | null;
}

const NOTHING: TurnCounts = {
  fetched: 0,
  redirected: 0,
  skipped: 0,
  failed: 0,
  retried: 0,
  bytes: 0,
};

const COUNTERS = {
  fetched: 'fetched',
  notModified: 'fetched',
  duplicate: 'fetched',
  redirected: 'redirected',
  skipped: 'skipped',
  failed: 'failed',
  retrying: 'retried',
} as const;

export class TurnTally {
  /** What the turn is at. */
  url: string | null;
  private readonly counts: { -readonly [K in keyof TurnCounts]: number };
  private last: TallyDetails['last'];

  /** @param before details of the attempt before this one */
  constructor(url: string | null, before?: TallyDetails) {
    this.url = url;
    this.counts = { ...NOTHING, ...before?.counts };
    this.last = before?.last ?? null;
  }

  add({ url, outcome, reason, bytes }: Completion): void {
    if (outcome === 'released') return;
    this.counts[COUNTERS[outcome]] += 1;
    this.counts.bytes += bytes ?? 0;
    this.last = { url, outcome: reason === undefined ? outcome : `${outcome} (${reason})` };
  }

  /** Pages of a host that is given up. */
  addFailed(pages: number): void {
    this.counts.failed += pages;
  }

  details(): TallyDetails {
    return { url: this.url, counts: { ...this.counts }, last: this.last };
  }

  /** As the turn's result tells it. */
  result(): { counts: TurnCounts; lastUrl: string | null; lastOutcome: string | null } {
    return {
      counts: { ...this.counts },
      lastUrl: this.last?.url ?? null,
      lastOutcome: this.last?.outcome ?? null,
    };
  }
}
