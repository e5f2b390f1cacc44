/**
 * One host (C2): fetches one page at a time, in turns; waits in durable timers; lingers when its
 * queue is empty and returns when it stays so.
 */
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  isCancellation,
  makeContinueAsNewFunc,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { TurnInput } from '../contracts/activities.js';
import type { HostInput, HostProgress, HostResult } from '../contracts/host.js';
import { fetchActivities, frontierActivities } from './activity-proxies.js';
import { afterTurn, duringTurn, newHostProgress } from './host-state.js';
import { checkHostInput } from './inputs.js';
import { hostProgressQuery, wakeSignal } from './messages.js';
import { chainOwner, isHistoryLong, keptMemo } from './run-chain.js';
import { hostDetails, summary } from './ui-progress.js';

const MAX_HISTORY_EVENTS = 1000;
const LINGER_MS = 10_000;

export async function hostWorkflow(input: HostInput): Promise<HostResult> {
  checkHostInput(input);
  const { crawlId, hostKey, tuning = {} } = input;
  const { fetchPages } = fetchActivities(tuning.heartbeatMs);
  const owner = input.carried?.owner ?? chainOwner();
  let turn = input.carried?.turn ?? 0;
  let progress: HostProgress = input.carried?.progress ?? newHostProgress(hostKey);
  let isWoken = false;

  const show = (next: HostProgress) => {
    progress = next;
    setCurrentDetails(hostDetails(progress));
  };
  setHandler(wakeSignal, () => {
    isWoken = true;
  });
  setHandler(hostProgressQuery, () => progress, {
    description: 'What this host did, what it does next, and why not yet',
  });
  show(progress);

  const turnInput = (): TurnInput => ({ crawlId, hostKey, owner, turn, nextUrl: progress.nextUrl });
  /** A durable timer that a wake ends early. @returns whether it was woken */
  const rest = (ms: number | null, why: string): Promise<boolean> => {
    if (ms === null) return condition(() => isWoken).then(() => true);
    return condition(() => isWoken, ms, { summary: summary(why) });
  };

  try {
    for (;;) {
      if (isHistoryLong(tuning.maxHistoryEvents ?? MAX_HISTORY_EVENTS)) {
        await condition(allHandlersFinished);
        // Continuing as new drops what was upserted or shown: the new run renders it again.
        const goOn = makeContinueAsNewFunc<typeof hostWorkflow>(keptMemo());
        await goOn({ ...input, carried: { owner, turn, progress } });
      }
      turn += 1;
      isWoken = false;
      show(duringTurn(progress));
      const label = summary(progress.nextUrl ?? turnWithoutUrl(turn, hostKey));
      const result = await fetchPages.executeWithOptions({ summary: label }, [turnInput()]);
      show(afterTurn(progress, result, Date.now()));

      switch (result.status) {
        case 'more':
        case 'wait':
          if (result.waitMs > 0) {
            const next = result.nextUrl ? `, next ${result.nextUrl}` : '';
            await rest(result.waitMs, `${result.reason ?? 'wait'}${next}`);
          }
          break;
        case 'idle':
        case 'noPlace':
        case 'exhausted':
          // A wake that arrived during the turn counts; one that arrives now ends the wait. Nothing
          // is awaited between the last look at `isWoken` and the return.
          if (!isWoken)
            await rest(tuning.lingerMs ?? LINGER_MS, 'queue empty: lingering for new URLs');
          if (!isWoken) return progress;
          break;
        case 'paused':
          await rest(null, 'paused');
          break;
        case 'blocked':
          if (result.queued === 0 && !isWoken) return progress;
          break;
        case 'stopped':
          if (!isWoken) return progress;
          // Woken meanwhile: the crawl may run again. Look once more.
          break;
        case 'fenced': {
          const by = result.fencedBy;
          if (by && by.owner > owner) return progress;
          turn = Math.max(turn, by?.turn ?? turn);
          break;
        }
      }
    }
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(async () => {
        turn += 1;
        await frontierActivities().releaseHost(turnInput());
      });
    }
    throw error;
  }
}

function turnWithoutUrl(turn: number, hostKey: string): string {
  return turn === 1 ? `first turn on ${hostKey}` : `look for work of ${hostKey}`;
}
