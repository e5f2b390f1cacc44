/** A host is given up: its queue becomes dead letters in bounded steps, each recorded first. */
import type { Claim, TurnReply } from '../contracts/frontier.js';
import type { QueuedUrl } from '../contracts/urls.js';
import { recordOf } from './turn-steps/turn-scope.js';
import type { CrawlStore } from './deps.js';
import type { TurnRun } from './turn-run.js';

const STEP = 200;
/** Steps of one turn; the workflow comes back for the rest. */
const STEPS_PER_TURN = 50;

/** @returns 0 when the queue is empty, else a number above 0 */
export async function drainBlockedHost(
  run: TurnRun,
  store: CrawlStore,
  claim: Claim,
  blocked: TurnReply & { status: 'blocked' },
): Promise<number> {
  const { frontier } = store;
  const context = await run.contexts.of(store, blocked.version);
  const sink = run.deps.sink(frontier.crawlId, context.settings);
  const scope = { context, input: run.input, attempt: claim.attempt };
  const failed = { outcome: 'failed', reason: blocked.reason } as const;
  let items: readonly QueuedUrl[] = [];
  for (let step = 0; step < STEPS_PER_TURN; step += 1) {
    run.signal.throwIfAborted();
    const confirmed = items;
    items = await frontier.drainHost(claim, confirmed, STEP, blocked.reason);
    run.tally.addFailed(confirmed.filter(({ kind }) => kind === 'page').length);
    if (items.length === 0) return 0;
    await sink.append(items.map((item) => recordOf({ ...scope, item }, failed)));
    run.tally.url = items[0]!.url;
  }
  return items.length;
}
