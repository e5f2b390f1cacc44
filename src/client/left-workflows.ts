/** Workflows of a crawl whose parent is gone: found by the id that they all carry. */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { CRAWL_ID_ATTRIBUTE } from '../contracts/workflow-ids.js';
import { explainTemporalError } from './explain-error.js';

/**
 * Cancel what still runs of a crawl.
 *
 * @returns how many workflows were told
 */
export async function cancelLeftWorkflows(client: Client, crawlId: string): Promise<number> {
  // A crawl id has no quote or backslash in it.
  const query = `${CRAWL_ID_ATTRIBUTE} = '${crawlId}' AND ExecutionStatus = 'Running'`;
  let told = 0;
  try {
    for await (const { workflowId } of client.workflow.list({ query })) {
      try {
        await client.workflow.getHandle(workflowId).cancel();
        told += 1;
      } catch (error) {
        // Ended meanwhile.
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    }
  } catch (error) {
    throw explainTemporalError(error, crawlId);
  }
  return told;
}
