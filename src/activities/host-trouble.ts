/**
 * What a turn does about a host in trouble: pure, with docs/errors.md as its table. Three stages: the
 * first failures are retried at once (visibly, by the activity's retry policy, or by going on with
 * other pages), then the host rests for longer and longer, then it is given up.
 */
import { hostBackoffMs } from '../fetch/politeness.js';

/** Consecutive failures from which a host rests. */
export const FAILURES_BEFORE_REST = 3;
const FIRST_RETRY_MS = 1000;
const BUSY_RETRY_MS = 5000;
/** A host that asks for less than this, though it refuses, is not taken at its word. */
const LEAST_REST_MS = 1000;
const ROBOTS_RETRY_MS = 5000;
const RETRY_MAX_MS = 60_000;
const URL_RETRY_MAX_MS = 10 * 60_000;

export interface TroubleFacts {
  /** What happened, for people: an error code or `HTTP 503`. */
  readonly what: string;
  /** No answer at all (DNS, connect, TLS, timeouts), an answer that asks for patience, robots.txt. */
  readonly kind: 'transport' | 'busy' | 'robots';
  /** Consecutive failures of the host, this one included. */
  readonly failures: number;
  /** Since the first of them. */
  readonly failingForMs: number;
  /** What the host asked for; null when it did not. */
  readonly retryAfterMs: number | null;
  /** Tries after which such a failure is final; null: as long as patience lasts. */
  readonly maxTries: number | null;
  /** Least wait before the second try, where nothing else is asked for. @default 1 s */
  readonly firstRetryMs?: number;
  readonly delayMs: number;
  readonly hostPatienceMs: number;
}

export type TroubleVerdict =
  /** Fail the activity; its next attempt comes after `retryMs`. */
  | { readonly action: 'retry'; readonly retryMs: number }
  /** Go on with other pages of the host; this one is due again after `dueInMs`. */
  | { readonly action: 'goOn'; readonly dueInMs: number }
  /** Leave the host alone. */
  | { readonly action: 'rest'; readonly waitMs: number; readonly reason: string }
  /** Give the host up. */
  | { readonly action: 'block'; readonly reason: string };

export function judgeTrouble(facts: TroubleFacts, random: () => number): TroubleVerdict {
  const { what, failures, delayMs } = facts;
  if (facts.maxTries !== null && failures >= facts.maxTries) {
    return { action: 'block', reason: what };
  }
  const isFirst = failures < FAILURES_BEFORE_REST;
  const doubled = 2 ** (failures - 1);
  if (facts.retryAfterMs === null && isFirst) {
    if (facts.kind === 'transport') {
      const firstMs = facts.firstRetryMs ?? FIRST_RETRY_MS;
      return { action: 'retry', retryMs: clampRetry(firstMs * doubled, delayMs) };
    }
    if (facts.kind === 'busy') {
      return { action: 'goOn', dueInMs: clampRetry(BUSY_RETRY_MS * doubled, delayMs) };
    }
  }
  const restMs = hostBackoffMs(failures - FAILURES_BEFORE_REST + 1, random);
  const waitMs =
    facts.kind === 'robots'
      ? // Retry-After is the least wait here: a host that says 0 must not be asked on and on.
        Math.max(facts.retryAfterMs ?? 0, isFirst ? ROBOTS_RETRY_MS * doubled : restMs, delayMs)
      : // What a host asks for counts alone at first only: one that says "at once" and goes on
        // refusing would be asked for each of its pages.
        Math.max(
          facts.retryAfterMs ?? 0,
          isFirst && facts.retryAfterMs !== null ? LEAST_REST_MS : restMs,
          delayMs,
        );
  if (facts.failingForMs + waitMs > facts.hostPatienceMs) {
    return { action: 'block', reason: `${what}, longer than hostPatience` };
  }
  return { action: 'rest', waitMs, reason: what };
}

/**
 * Does an answer speak of the host's load rather than of the URL, so that the URL keeps its tries? A
 * 429 does, and a 503 that says when to come back, once the host has refused the request before this
 * one too: else a busy quarter of an hour would cost all pages that were due in it. A URL that is
 * refused between others that are not uses up its tries like any other.
 *
 * @param failures consecutive ones of the host, this one included
 */
export function isHostBusy(
  answer: { readonly status: number; readonly retryAfterMs: number | null },
  failures: number,
): boolean {
  const asksForPatience = answer.status === 429 || (answer.retryAfterMs ?? 0) > 0;
  return asksForPatience && failures > 1;
}

/** When a URL that failed by itself is due again: 5 s, doubled a try, ten minutes at most. */
export function urlRetryMs(attempts: number, delayMs: number): number {
  return Math.max(delayMs, Math.min(BUSY_RETRY_MS * 2 ** attempts, URL_RETRY_MAX_MS));
}

/** At least the host's delay, at most a minute unless the delay itself is longer. */
function clampRetry(ms: number, delayMs: number): number {
  return Math.max(Math.min(ms, RETRY_MAX_MS), delayMs);
}
