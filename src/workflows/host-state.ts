/** Transitions of a host's progress: pure, so that they are tested without Temporal. */
import type { TurnResult } from '../contracts/activities.js';
import type { HostStateName } from '../contracts/frontier.js';
import type { HostProgress } from '../contracts/host.js';

export function newHostProgress(hostKey: string): HostProgress {
  return {
    hostKey,
    state: 'active',
    fetched: 0,
    redirected: 0,
    skipped: 0,
    failed: 0,
    retried: 0,
    bytes: 0,
    turns: 0,
    queued: 0,
    lastUrl: null,
    lastOutcome: null,
    nextUrl: null,
    nextAt: null,
    reason: null,
  };
}

const STATE_AFTER: Record<TurnResult['status'], HostStateName> = {
  more: 'active',
  wait: 'waiting',
  idle: 'idle',
  noPlace: 'pending',
  exhausted: 'exhausted',
  paused: 'paused',
  blocked: 'blocked',
  stopped: 'idle',
  fenced: 'active',
};

/** Progress after a turn that ended at `nowMs` (workflow time). */
export function afterTurn(progress: HostProgress, result: TurnResult, nowMs: number): HostProgress {
  const waits = result.waitMs > 0;
  return {
    ...progress,
    state: waits && result.status === 'more' ? 'waiting' : STATE_AFTER[result.status],
    fetched: progress.fetched + result.counts.fetched,
    redirected: progress.redirected + result.counts.redirected,
    skipped: progress.skipped + result.counts.skipped,
    failed: progress.failed + result.counts.failed,
    retried: progress.retried + result.counts.retried,
    bytes: progress.bytes + result.counts.bytes,
    turns: progress.turns + 1,
    queued: result.queued,
    lastUrl: result.lastUrl ?? progress.lastUrl,
    lastOutcome: result.lastOutcome ?? progress.lastOutcome,
    nextUrl: result.nextUrl,
    nextAt: waits ? new Date(nowMs + result.waitMs).toISOString() : null,
    reason: result.reason,
  };
}

/** Progress while a turn runs. */
export function duringTurn(progress: HostProgress): HostProgress {
  return { ...progress, state: 'active', nextAt: null, reason: null };
}
