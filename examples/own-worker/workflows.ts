/** What this worker registers: the engine's workflows, and one that uses them. */
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { executeChild, proxyActivities } from '@temporalio/workflow';
import type { CrawlInput } from 'orbweaver';
import { crawlWorkflow } from 'orbweaver/workflows';
import type * as activities from './activities.js';

export * from 'orbweaver/workflows';

const { report } = proxyActivities<typeof activities>({ startToCloseTimeout: '1 minute' });

/** Crawl, then report: the crawl is a child under the id by which every client finds it. */
export async function crawlAndReportWorkflow(input: CrawlInput): Promise<string> {
  const result = await executeChild(crawlWorkflow, {
    workflowId: `crawl/${input.crawlId}`,
    args: [input],
    typedSearchAttributes: new TypedSearchAttributes([
      { key: defineSearchAttributeKey('CrawlId', 'KEYWORD'), value: input.crawlId },
    ]),
  });
  return report(result);
}
