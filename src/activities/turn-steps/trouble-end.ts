/** How a step ends that met trouble: of the host or of the URL. */
import type { Completion } from '../../contracts/frontier.js';
import { PLACE_WAIT_MS } from '../../frontier/frontier-times.js';
import { codeOfName } from '../failures.js';
import { isHostBusy, judgeTrouble, urlRetryMs, type TroubleFacts } from '../host-trouble.js';
import { recordOf, type StepEnd, type TurnScope } from './turn-scope.js';
import type { SinkRecord } from '../../contracts/urls.js';

/** Facts of a response or failure that go into the record. */
export type FailureFacts = Partial<
  Pick<SinkRecord, 'status' | 'contentType' | 'finalUrl' | 'fetchMs'>
>;

/** The URL failed by itself: it is tried again later, or that was its last try. */
export function urlFailed(
  scope: TurnScope,
  failure: {
    readonly reason: string;
    readonly retryable: boolean;
    /** It is tried again however often it was. */
    readonly keepsTries?: boolean;
    readonly facts?: FailureFacts;
  },
  rest: Pick<StepEnd, 'requests' | 'delayMs'> & Partial<StepEnd>,
  dueInMs = urlRetryMs(scope.item.attempts, rest.delayMs),
): StepEnd {
  const { item } = scope;
  const { reason, retryable, keepsTries = false } = failure;
  if (keepsTries || (retryable && item.attempts < scope.context.settings.retries)) {
    const completion: Completion = { url: item.url, outcome: 'retrying', reason, dueInMs };
    return { ...rest, completion };
  }
  return {
    ...rest,
    completion: { url: item.url, outcome: 'failed', reason, deadLetter: retryable },
    record: recordOf(scope, { outcome: 'failed', reason, ...failure.facts }),
  };
}

/** The host is in trouble while the leased URL was asked for. */
export function hostFailed(
  scope: TurnScope,
  trouble: Pick<TroubleFacts, 'what' | 'kind' | 'retryAfterMs' | 'maxTries' | 'firstRetryMs'> & {
    /** Asked for robots.txt: the leased URL was not tried, and stays leased. */
    readonly isRobots?: boolean;
  },
  failure: { readonly message: string; readonly facts?: FailureFacts },
  rest: Pick<StepEnd, 'requests' | 'delayMs'>,
): StepEnd {
  const { item } = scope;
  const verdict = judgeTrouble(
    {
      what: trouble.what,
      kind: trouble.kind,
      retryAfterMs: trouble.retryAfterMs,
      maxTries: trouble.maxTries,
      ...(trouble.firstRetryMs !== undefined && { firstRetryMs: trouble.firstRetryMs }),
      failures: scope.hostFailures + 1,
      failingForMs: scope.failingForMs,
      delayMs: rest.delayMs,
      hostPatienceMs: scope.context.settings.hostPatienceMs,
    },
    scope.deps.random,
  );
  const end = { ...rest, hostOutcome: 'failure' as const };
  const reason = trouble.what;
  const { status } = failure.facts ?? {};
  const keepsTries =
    trouble.kind === 'busy' &&
    isHostBusy({ status: status ?? 0, retryAfterMs: trouble.retryAfterMs }, scope.hostFailures + 1);
  const tried = {
    ...{ reason, retryable: true, keepsTries },
    ...(failure.facts && { facts: failure.facts }),
  };
  switch (verdict.action) {
    case 'block':
      // Nothing says that this URL is at fault: it shares its host's fate.
      return { ...end, block: verdict.reason };
    case 'goOn':
      return urlFailed(scope, tried, end, verdict.dueInMs);
    case 'rest': {
      const wait = { waitMs: verdict.waitMs, reason: verdict.reason };
      if (trouble.isRobots) return { ...end, wait };
      // A silent host says nothing about its URLs; an answer counts as a try of this one.
      if (trouble.kind === 'busy') {
        return urlFailed(scope, tried, { ...end, wait }, dueAfter(verdict.waitMs));
      }
      return { ...end, wait, completion: { url: item.url, outcome: 'released' } };
    }
    case 'retry': {
      const { message } = failure;
      const retry = { code: codeOfName(reason), message, retryMs: verdict.retryMs };
      if (trouble.isRobots) return { ...end, retry };
      return urlFailed(scope, tried, { ...end, retry }, Math.max(0, verdict.retryMs - 200));
    }
  }
}

/** How much later than its host's rest a URL is due again, so that others go first. */
const OTHERS_FIRST_MS = 1000;

/**
 * When a URL is due again whose host rests. What is asked for after the rest is chosen before it,
 * and so is another; save in a long rest, in which the host gives its lease back. If the others are
 * answered, the fault is this URL's own.
 */
function dueAfter(restMs: number): number {
  return restMs < PLACE_WAIT_MS ? restMs : restMs + OTHERS_FIRST_MS;
}
