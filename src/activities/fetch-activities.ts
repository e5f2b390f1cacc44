/** Activities of fetch workers: turns. */
import { Context } from '@temporalio/activity';
import type { FetchActivities } from '../contracts/activities.js';
import { CrawlContexts } from './crawl-context.js';
import type { ActivityDeps } from './deps.js';
import { withFailures } from './failures.js';
import { Turn } from './turn.js';

/** Beats within a heartbeat timeout: three may be lost. */
const BEATS_PER_TIMEOUT = 4;

export function createFetchActivities(deps: ActivityDeps): FetchActivities {
  const contexts = new CrawlContexts();
  return withFailures<FetchActivities>({
    async fetchPages(input) {
      const { info, cancellationSignal, heartbeat } = currentActivity();
      let details: unknown = { url: input.nextUrl, requests: 0 };
      // A page may take longer than the timeout: beat by the clock too.
      const everyMs = (info.heartbeatTimeoutMs ?? 10_000) / BEATS_PER_TIMEOUT;
      const beat = setInterval(() => heartbeat(details), everyMs);
      try {
        const turn = new Turn({
          deps,
          contexts,
          input,
          attempt: info.attempt,
          signal: cancellationSignal,
          heartbeat: (next) => heartbeat((details = next)),
        });
        return await turn.take();
      } catch (error) {
        // A cancelled or shut down activity must say so, whatever broke because of it.
        if (cancellationSignal.aborted) throw cancellationSignal.reason;
        throw error;
      } finally {
        clearInterval(beat);
      }
    },
  });
}

function currentActivity() {
  const context = Context.current();
  return {
    info: context.info,
    cancellationSignal: context.cancellationSignal,
    heartbeat: (details: unknown) => context.heartbeat(details),
  };
}
