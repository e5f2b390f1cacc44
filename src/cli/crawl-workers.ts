/** Workers inside a command's process, and what a crawl leaves running. */
import { listCrawls } from '../client/list-crawls.js';
import { DEFAULT_TASK_QUEUE } from '../contracts/task-queues.js';
import { CRAWL_ID_ATTRIBUTE } from '../contracts/workflow-ids.js';
import type { RunningWorkers } from '../workers/start-workers.js';
import type { CrawlError } from '../errors.js';
import type { Engine } from './engine.js';

/** All roles in this process. */
export async function startAllWorkers(
  engine: Engine,
  taskQueue: string,
  onTrouble: (error: CrawlError) => void,
): Promise<RunningWorkers> {
  const [{ startWorkers }, connection] = await Promise.all([
    import('../workers/start-workers.js'),
    engine.nativeConnection(),
  ]);
  return startWorkers({
    connection,
    namespace: engine.namespace,
    redisUrl: engine.redisUrl,
    roles: ['workflow', 'fetch'],
    taskQueue,
    onTrouble,
  });
}

/** Others that these workers will serve too: a crawl that was interrupted goes on with any worker. */
export async function otherRunningCrawls(engine: Engine, crawlId: string): Promise<string[]> {
  const others: string[] = [];
  try {
    for await (const crawl of listCrawls(engine.client, { status: 'RUNNING', limit: 6 })) {
      if (crawl.crawlId !== crawlId && crawl.taskQueue === DEFAULT_TASK_QUEUE) {
        others.push(crawl.crawlId);
      }
    }
  } catch {
    // Only a note hangs on it.
  }
  return others;
}

/** Workflows of a crawl that still run; 0 where visibility can't tell. */
export async function countLeftRunning(engine: Engine, crawlId: string): Promise<number> {
  // A crawl id has no quote or backslash in it.
  const query = `${CRAWL_ID_ATTRIBUTE} = '${crawlId}' AND ExecutionStatus = 'Running'`;
  try {
    const { count } = await engine.client.workflow.count(query);
    return count;
  } catch {
    return 0;
  }
}
