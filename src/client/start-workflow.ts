/** How a crawl's workflow is started: id, queue, and what the web UI shows of it. */
import {
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import type { CrawlInput } from '../contracts/crawl.js';
import { CRAWL_ID_ATTRIBUTE, CRAWL_WORKFLOW, crawlWorkflowId } from '../contracts/workflow-ids.js';
import { FrontierError } from '../errors.js';
import type { crawlWorkflow } from '../workflows/crawl-workflow.js';
import { answer, type Reach } from './answers.js';
import { refuseLargeInput } from './message-size.js';

/** Temporal warns of a memo from 2 KiB on, and cuts summaries in lists. */
const SEEDS_SHOWN = 3;
const SEED_CHARS = 200;
const SUMMARY_CHARS = 120;

/**
 * Start the workflow of a new or resumed crawl; needs no worker yet.
 *
 * @throws FRONTIER_CRAWL_EXISTS (new) or FRONTIER_CRAWL_STATE (resumed) while it runs;
 *   CONFIG_INVALID_OPTION for more seeds and options than a message holds
 */
export async function startCrawlWorkflow(reach: Reach, input: CrawlInput): Promise<void> {
  refuseLargeInput(input);
  const options = crawlStartOptions(input, reach.taskQueue);
  try {
    await answer(reach, input.crawlId, () => reach.client.workflow.start(CRAWL_WORKFLOW, options));
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const { crawlId } = input;
    throw input.resume
      ? new FrontierError(
          'FRONTIER_CRAWL_STATE',
          `crawl "${crawlId}" is running already; adjust() changes its limits`,
          { details: { crawlId, workflowStatus: 'RUNNING' }, cause: error },
        )
      : crawlExists(crawlId, error);
  }
}

/** The id is taken. */
export function crawlExists(crawlId: string, cause?: unknown): FrontierError {
  return new FrontierError(
    'FRONTIER_CRAWL_EXISTS',
    `crawlId: "${crawlId}" exists already; resume it, delete it or choose another id`,
    { details: { crawlId }, cause },
  );
}

/** Options with which a crawl's workflow starts. */
export function crawlStartOptions(
  input: CrawlInput,
  taskQueue: string,
): WorkflowStartOptions<typeof crawlWorkflow> {
  const { crawlId, seeds = [] } = input;
  return {
    workflowId: crawlWorkflowId(crawlId),
    taskQueue,
    args: [input],
    // Closed runs of the id are earlier runs of the crawl; the frontier knows whether it exists.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'FAIL',
    staticSummary: summaryOf(input),
    memo: {
      crawlId,
      ...(seeds.length > 0 && {
        seeds: seeds.slice(0, SEEDS_SHOWN).map((seed) => cut(seed, SEED_CHARS)),
        seedCount: seeds.length,
      }),
    },
    typedSearchAttributes: new TypedSearchAttributes([
      { key: defineSearchAttributeKey(CRAWL_ID_ATTRIBUTE, 'KEYWORD'), value: crawlId },
    ]),
  };
}

function summaryOf({ crawlId, seeds = [], resume }: CrawlInput): string {
  if (resume) return cut(`${crawlId} resumed`, SUMMARY_CHARS);
  const more = seeds.length > 1 ? ` and ${seeds.length - 1} more` : '';
  return `${cut(seeds[0] ?? crawlId, SUMMARY_CHARS - more.length)}${more}`;
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars - 1)}…`;
}
