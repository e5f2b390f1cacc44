/** Making hosts pending again, and counting anew what they queue. */
import type { Redis } from '../redis/connection.js';
import { runScript } from '../redis/script.js';
import { crawlNotFound } from './crawl-status.js';
import { shardKeys } from './keys.js';
import { SCRIPTS } from './scripts.js';

/** Hosts of one step of a recount. */
const RECOUNT_STEP = 500;

/** One page of hosts. */
export interface ReopenPage {
  /** Host key after which to go on; default from the start. */
  readonly after?: string;
  readonly limit: number;
  /** Hosts that have a run count as overdue at once. */
  readonly overdue: boolean;
}

/**
 * Make the hosts of one page that have work pending.
 *
 * @returns the next page's `after`, or null
 * @throws FRONTIER_CRAWL_NOT_FOUND
 */
export async function reopenHosts(
  redis: Redis,
  crawlId: string,
  page: ReopenPage,
  recounts = false,
): Promise<string | null> {
  const k = shardKeys(crawlId);
  const [status, next] = (await runScript(
    redis,
    SCRIPTS.reopenHosts,
    [
      k.crawl,
      k.totals,
      k.pending,
      k.running,
      k.placed,
      k.hosts,
      k.hostPrefix,
      k.queuePrefix,
      k.duePrefix,
    ],
    [page.after ?? '', page.limit, page.overdue ? '1' : '0', recounts ? '1' : '0'],
  )) as [string, string];
  if (status === 'no_crawl') throw crawlNotFound(crawlId);
  return next === '' ? null : next;
}

/** Count what is really queued and mend the totals; makes every host with work pending. */
export async function recountHosts(redis: Redis, crawlId: string): Promise<void> {
  let after: string | null = '';
  while (after !== null) {
    after = await reopenHosts(redis, crawlId, { after, limit: RECOUNT_STEP, overdue: false }, true);
  }
}
