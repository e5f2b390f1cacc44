/** The crawls that Temporal's visibility knows. */
import type { Client } from '@temporalio/client';
import { CRAWL_WORKFLOW, crawlWorkflowId } from '../contracts/workflow-ids.js';
import type { ListCrawlsOptions, ListedCrawl } from './client-types.js';
import { explainTemporalError } from './explain-error.js';

/**
 * The visibility query for what a list asks for. Runs that went on in a new one are left out; other
 * statuses than RUNNING are sorted out later, because an earlier run of a resumed crawl has one too.
 */
export function listQuery({ status, taskQueue }: ListCrawlsOptions): string {
  const terms = [`WorkflowType = ${quoted(CRAWL_WORKFLOW)}`];
  terms.push(
    status === 'RUNNING' ? `ExecutionStatus = 'Running'` : `ExecutionStatus != 'ContinuedAsNew'`,
  );
  if (taskQueue !== undefined) terms.push(`TaskQueue = ${quoted(taskQueue)}`);
  return terms.join(' AND ');
}

/** Crawls, running ones first, then by the time at which they ended; each id once. */
export async function* listCrawls(
  client: Client,
  options: ListCrawlsOptions,
): AsyncGenerator<ListedCrawl, void> {
  const prefix = crawlWorkflowId('');
  const seen = new Set<string>();
  let left = options.limit ?? Infinity;
  if (left < 1) return;
  try {
    for await (const info of client.workflow.list({ query: listQuery(options) })) {
      // Somebody may have started the workflow by hand under an id of his own.
      if (!info.workflowId.startsWith(prefix)) continue;
      const crawlId = info.workflowId.slice(prefix.length);
      // Earlier runs of a crawl that was resumed.
      if (seen.has(crawlId)) continue;
      seen.add(crawlId);
      if (options.status !== undefined && info.status.name !== options.status) continue;
      yield {
        crawlId,
        status: info.status.name,
        startTime: info.startTime,
        closeTime: info.closeTime ?? null,
        taskQueue: info.taskQueue,
        workflowId: info.workflowId,
      };
      left -= 1;
      if (left < 1) return;
    }
  } catch (error) {
    throw explainTemporalError(error);
  }
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
