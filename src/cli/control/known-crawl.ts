/** A crawl's record, also of one whose workflow was started and that no worker has opened yet. */
import { describeParent } from '../../client/answers.js';
import type { CrawlStatus } from '../../contracts/frontier.js';
import { CrawlError, FrontierError } from '../../errors.js';
import { RedisFrontier } from '../../frontier/redis-frontier.js';
import { commandLine } from '../context.js';
import type { Engine } from '../engine.js';
import { reachOf } from '../reach.js';

/** What can be known of a crawl. */
export interface KnownCrawl {
  /** Null: whoever started it was killed before a worker opened it; its workflow waits for one. */
  readonly status: CrawlStatus | null;
  readonly isRunning: boolean;
  /** Of its workflow, where Temporal knows one. */
  readonly taskQueue: string | undefined;
}

/**
 * Look for a crawl in Redis and in Temporal.
 *
 * @throws FRONTIER_CRAWL_NOT_FOUND where Redis has no record and no workflow waits to make one
 */
export async function findCrawl(
  engine: Pick<Engine, 'client' | 'redis'>,
  crawlId: string,
): Promise<KnownCrawl> {
  const found = await new RedisFrontier(engine.redis, crawlId).status().catch((error: unknown) => {
    if (error instanceof CrawlError && error.code === 'FRONTIER_CRAWL_NOT_FOUND') return error;
    throw error;
  });
  const parent = await describeParent(reachOf(engine), crawlId);
  const isRunning = parent?.status === 'RUNNING';
  const isMissing = found instanceof CrawlError;
  if (isMissing && !isRunning) throw found;
  return { status: isMissing ? null : found, isRunning, taskQueue: parent?.taskQueue };
}

/**
 * The record of a crawl that has one.
 *
 * @throws FRONTIER_CRAWL_NOT_FOUND; FRONTIER_CRAWL_STATE where no worker has opened it yet
 */
export async function openedStatus(
  engine: Pick<Engine, 'client' | 'redis'>,
  crawlId: string,
  dataDir?: string,
): Promise<CrawlStatus> {
  try {
    return await new RedisFrontier(engine.redis, crawlId).status();
  } catch (error) {
    if (!(error instanceof CrawlError) || error.code !== 'FRONTIER_CRAWL_NOT_FOUND') throw error;
    await findCrawl(engine, crawlId);
    throw new FrontierError(
      'FRONTIER_CRAWL_STATE',
      `crawl "${crawlId}" was started, but no worker has opened it yet; go on with: ` +
        `${commandLine(['resume', crawlId], dataDir)} (or start a worker), or drop it with: ` +
        commandLine(['delete', crawlId, '--force'], dataDir),
      { details: { crawlId, workflowStatus: 'RUNNING' }, cause: error },
    );
  }
}
