/** Activities of fetch workers: turns. */
import { Context } from '@temporalio/activity';
import type { FetchActivities } from '../contracts/activities.js';
import { whileBeating } from './beating.js';
import { CrawlContexts } from './crawl-context.js';
import type { ActivityDeps } from './deps.js';
import { withFailures } from './failures.js';
import { Turn } from './turn.js';
import { TurnTally, type TallyDetails } from './turn-tally.js';

export function createFetchActivities(deps: ActivityDeps): FetchActivities {
  const contexts = new CrawlContexts();
  return withFailures<FetchActivities>(
    {
      async fetchPages(input) {
        const context = Context.current();
        const { info, cancellationSignal: signal } = context;
        const tally = new TurnTally(
          input.nextUrl,
          info.heartbeatDetails as TallyDetails | undefined,
        );
        try {
          const turn = new Turn({ deps, contexts, input, attempt: info.attempt, signal, tally });
          // Short turns need no beat of their own: each costs the server a write.
          return await whileBeating(
            () => tally.details(),
            () => turn.take(),
          );
        } catch (error) {
          // What this attempt did is told by the next one.
          context.heartbeat(tally.details());
          // A cancelled or shut down activity must say so, whatever broke because of it.
          if (signal.aborted) throw signal.reason;
          throw error;
        }
      },
    },
    deps.onTrouble,
  );
}
