/**
 * Asking Temporal, and the workers behind it, with a bound: a fleet that is down must be said, not
 * waited for.
 */
import { randomUUID } from 'node:crypto';
import { isGrpcCancelledError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { ReadReply, ReadRequest } from '../contracts/activities.js';
import { crawlWorkflowId, READ_WORKFLOW } from '../contracts/workflow-ids.js';
import { ConfigError } from '../errors.js';
import type { readCrawlWorkflow } from '../workflows/read-crawl-workflow.js';
import type { CrawlWorkflowStatus } from './client-types.js';
import { explainTemporalError, isSilence } from './explain-error.js';

/** A worker's long poll takes a minute; one that was not seen for longer is gone. */
const POLL_MS = 70_000;
/** The question who polls a queue is asked after a long wait already. */
const ASK_POLLERS_MS = 5000;
/** Rounding of timers. */
const CLOCK_MS = 50;

/** How a client reaches the crawls. */
export interface Reach {
  readonly client: Client;
  readonly taskQueue: string;
  readonly answerTimeoutMs: number;
}

/** A crawl's workflow as Temporal knows it. */
export interface Parent {
  readonly status: CrawlWorkflowStatus;
  readonly taskQueue: string;
}

/** The newest run of a crawl's workflow, or null where Temporal knows none. */
export async function describeParent(reach: Reach, crawlId: string): Promise<Parent | null> {
  const deadlineMs = deadline(reach);
  try {
    const { status, taskQueue } = await reach.client.withDeadline(deadlineMs, () =>
      reach.client.workflow.getHandle(crawlWorkflowId(crawlId)).describe(),
    );
    return { status: status.name, taskQueue };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw await explained(reach, error, crawlId, deadlineMs);
  }
}

/**
 * Read the crawl's frontier through a worker.
 *
 * @param taskQueue queue of the crawl, where it is known
 * @throws FRONTIER_CRAWL_NOT_FOUND; CONFIG_SERVER_UNAVAILABLE when no worker answers
 */
export async function readCrawl<K extends ReadRequest['kind']>(
  reach: Reach,
  request: Extract<ReadRequest, { kind: K }>,
  taskQueue = reach.taskQueue,
): Promise<Extract<ReadReply, { kind: K }>> {
  const reply = await answer({ ...reach, taskQueue }, request.crawlId, () =>
    reach.client.workflow.execute<typeof readCrawlWorkflow>(READ_WORKFLOW, {
      workflowId: `read/${request.crawlId}/${randomUUID()}`,
      taskQueue,
      args: [request],
      staticSummary: `read ${request.kind} of ${request.crawlId}`,
      // Nobody waits for it any longer then.
      workflowExecutionTimeout: reach.answerTimeoutMs,
    }),
  );
  return reply as Extract<ReadReply, { kind: K }>;
}

/**
 * Ask something that a worker must answer.
 *
 * @throws CrawlError; CONFIG_SERVER_UNAVAILABLE, retryable, when there is no answer in time
 */
export async function answer<T>(reach: Reach, crawlId: string, ask: () => Promise<T>): Promise<T> {
  const deadlineMs = deadline(reach);
  try {
    return await reach.client.withDeadline(deadlineMs, ask);
  } catch (error) {
    throw await explained(reach, error, crawlId, deadlineMs);
  }
}

function deadline(reach: Reach): number {
  return Date.now() + reach.answerTimeoutMs;
}

async function explained(
  reach: Reach,
  error: unknown,
  crawlId: string,
  deadlineMs: number,
): Promise<unknown> {
  // A call that is given up at its deadline may tell so as cancelled.
  const isLate = isGrpcCancelledError(error) && Date.now() >= deadlineMs - CLOCK_MS;
  return isLate || isSilence(error) ? noAnswer(reach, error) : explainTemporalError(error, crawlId);
}

async function noAnswer(reach: Reach, cause: unknown): Promise<ConfigError> {
  const { taskQueue, answerTimeoutMs } = reach;
  const waited = `no worker answered within ${answerTimeoutMs / 1000} s`;
  const seenMs = await lastPollMs(reach).catch(() => undefined);
  let told: string;
  if (seenMs === undefined) {
    told = 'and Temporal could not be asked why; check that the server runs';
  } else if (seenMs === null) {
    told = `: none has polled task queue "${taskQueue}" lately; start one (orbweaver worker) or name the queue of yours`;
  } else if (seenMs > POLL_MS) {
    told = `: the last one polled task queue "${taskQueue}" ${Math.round(seenMs / 1000)} s ago; start one (orbweaver worker)`;
  } else {
    told = `: one polls task queue "${taskQueue}" but is busy or can't reach its Redis; see its log and orbweaver doctor`;
  }
  const glue = told.startsWith(':') ? '' : ' ';
  return new ConfigError('CONFIG_SERVER_UNAVAILABLE', `${waited}${glue}${told}`, {
    retryable: true,
    details: { taskQueue, answerTimeoutMs, lastPollMs: seenMs ?? null },
    cause,
  });
}

/** Time since a worker last polled the queue of the workflows; null when Temporal knows none. */
async function lastPollMs({ client, taskQueue }: Reach): Promise<number | null> {
  const { pollers } = await client.withDeadline(Date.now() + ASK_POLLERS_MS, () =>
    client.workflowService.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: 1,
    }),
  );
  const seen = (pollers ?? []).map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0));
  return seen.length === 0 ? null : Math.max(0, Date.now() - Math.max(...seen) * 1000);
}
