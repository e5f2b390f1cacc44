/** Putting URLs back into their queues, in steps that hold Redis up for a few milliseconds each. */
import type { Redis } from '../redis/connection.js';
import { runScript, type Script, type ScriptReply } from '../redis/script.js';
import { crawlNotFound } from './crawl-status.js';
import { missingFilter } from './seen-filter.js';

/** A script that takes the most URLs and a request id, and the URLs that one step may take. */
export interface RequeueScript {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly most: number;
}

/**
 * One step.
 *
 * @param request a request that is sent again under its id, after a lost reply, changes nothing
 * @returns how many were queued
 * @throws FRONTIER_CRAWL_NOT_FOUND, FRONTIER_SEEN_FILTER
 */
export async function requeueStep(
  redis: Redis,
  crawlId: string,
  { script, keys, most }: RequeueScript,
  request: { readonly limit: number; readonly id: string },
): Promise<number> {
  if (request.limit < 1) return 0;
  const args = [Math.min(request.limit, most), request.id];
  const [status, detail] = (await runScript(redis, script, keys, args)) as [string, ScriptReply];
  if (status === 'no_crawl') throw crawlNotFound(crawlId);
  if (status === 'seen_filter') throw missingFilter(crawlId, String(detail));
  return Number(detail);
}

/**
 * As many steps as it takes. Count those that are there first: a crawl that runs may put some of
 * them aside again meanwhile, and would never be done with.
 *
 * @param step queues up to so many, returns how many; 0: there are none left
 * @returns how many
 */
export async function requeueAll(
  count: number,
  step: (most: number) => Promise<number>,
): Promise<number> {
  let requeued = 0;
  while (requeued < count) {
    const some = await step(count - requeued);
    if (some === 0) break;
    requeued += some;
  }
  return requeued;
}
