/** How a step ends that met trouble: of the host or of the URL. */
import type { Completion } from '../../contracts/frontier.js';
import { codeOfName } from '../failures.js';
import { judgeTrouble, urlRetryMs, type TroubleFacts } from '../host-trouble.js';
import { recordOf, type StepEnd, type TurnScope } from './turn-scope.js';
import type { SinkRecord } from '../../contracts/urls.js';

/** Facts of a response or failure that go into the record. */
export type FailureFacts = Partial<
  Pick<SinkRecord, 'status' | 'contentType' | 'finalUrl' | 'fetchMs'>
>;

/** The URL failed by itself: it is tried again later, or that was its last try. */
export function urlFailed(
  scope: TurnScope,
  failure: { readonly reason: string; readonly retryable: boolean; readonly facts?: FailureFacts },
  rest: Pick<StepEnd, 'requests' | 'delayMs'> & Partial<StepEnd>,
  dueInMs = urlRetryMs(scope.item.attempts, rest.delayMs),
): StepEnd {
  const { item } = scope;
  const { reason, retryable } = failure;
  if (retryable && item.attempts < scope.context.settings.retries) {
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
  const tried = { reason, retryable: true, ...(failure.facts && { facts: failure.facts }) };
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
      if (trouble.kind === 'busy') return urlFailed(scope, tried, { ...end, wait }, verdict.waitMs);
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
