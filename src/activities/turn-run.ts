/** What a turn is given. */
import type { TurnInput } from '../contracts/activities.js';
import type { CrawlContexts } from './crawl-context.js';
import type { ActivityDeps } from './deps.js';
import type { TurnTally } from './turn-tally.js';

export interface TurnRun {
  readonly deps: ActivityDeps;
  readonly contexts: CrawlContexts;
  readonly input: TurnInput;
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** Counts over all attempts; heartbeats tell it. */
  readonly tally: TurnTally;
}
