/** Changing a crawl's record: its state, its settings, each under a new version. */
import type { CrawlState, FinishReason } from '../contracts/frontier.js';
import type { CrawlSettings } from '../contracts/settings.js';
import { FrontierError } from '../errors.js';
import type { Redis } from '../redis/connection.js';
import { runScript, type ScriptReply } from '../redis/script.js';
import { crawlNotFound } from './crawl-status.js';
import { shardKeys } from './keys.js';
import { SCRIPTS } from './scripts.js';

/** What to change; what is left out stays. */
export interface RecordChange {
  readonly state?: CrawlState;
  readonly reason?: FinishReason;
  /** New settings, and the version of the record that they were derived from. */
  readonly next?: { readonly base: number; readonly settings: CrawlSettings };
}

/**
 * Change the record in one step.
 *
 * @returns the new version; null when somebody else changed the record after `next.base`
 * @throws FRONTIER_CRAWL_NOT_FOUND; FRONTIER_CRAWL_STATE for a refused move
 */
export async function changeRecord(
  redis: Redis,
  crawlId: string,
  { state, reason, next }: RecordChange,
): Promise<number | null> {
  const [status, detail] = (await runScript(
    redis,
    SCRIPTS.setState,
    [shardKeys(crawlId).crawl],
    [
      state ?? '',
      reason ?? '',
      next ? JSON.stringify(next.settings) : '',
      next ? JSON.stringify(scriptLimits(next.settings)) : '',
      next?.base ?? 0,
    ],
  )) as [string, ScriptReply];
  if (status === 'no_crawl') throw crawlNotFound(crawlId);
  if (status === 'changed') return null;
  if (status === 'refused') {
    throw new FrontierError(
      'FRONTIER_CRAWL_STATE',
      `crawl "${crawlId}" is ${String(detail)} and can't become ${String(state)}`,
      { details: { state: detail, target: state } },
    );
  }
  return Number(detail);
}

/** The limits that scripts read one by one; 0 stands for none. */
export function scriptLimits(settings: CrawlSettings): Record<string, number> {
  return {
    maxPages: settings.maxPages ?? 0,
    perHostLimit: settings.perHostLimit ?? 0,
    concurrency: settings.concurrency,
    maxHostsPerDomain: settings.maxHostsPerDomain,
    maxDurationMs: settings.maxDurationMs ?? 0,
    trapBudget: settings.traps ? settings.trapBudget : 0,
  };
}
