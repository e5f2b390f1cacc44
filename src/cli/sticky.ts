/** Workflows remember the worker that served them last; after a kill -9 that memory only delays. */
import { CRAWL_ID_ATTRIBUTE } from '../contracts/workflow-ids.js';
import type { Engine } from './engine.js';

/** Hosts beyond this find their way by themselves, after ten seconds. */
const MAX_FORGOTTEN = 500;
const AT_ONCE = 20;

/**
 * Let a crawl's workflows go to any worker at once, rather than after the ten seconds for which
 * Temporal would offer them to a worker that is gone. Harmless where that worker lives.
 */
export async function forgetStickyWorkers(engine: Engine, crawlId: string): Promise<void> {
  // A crawl id has no quote or backslash in it.
  const query = `${CRAWL_ID_ATTRIBUTE} = '${crawlId}' AND ExecutionStatus = 'Running'`;
  const ids: string[] = [];
  try {
    for await (const { workflowId } of engine.client.workflow.list({ query })) {
      ids.push(workflowId);
      if (ids.length === MAX_FORGOTTEN) break;
    }
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      await Promise.all(
        ids.slice(from, from + AT_ONCE).map((workflowId) =>
          engine.client.workflowService.resetStickyTaskQueue({
            namespace: engine.namespace,
            execution: { workflowId },
          }),
        ),
      );
    }
  } catch {
    // It only saves time: what closed meanwhile, or a server that refuses, is no error.
  }
}
