/**
 * The one way in which a host starts or wakes. A host that is closing just now is not lost: the
 * start is refused as long as it runs, the signal finds it or finds nothing, and then it is started.
 */
import {
  getExternalWorkflowHandle,
  ParentClosePolicy,
  startChild,
  type ChildWorkflowHandle,
} from '@temporalio/workflow';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import type { HostInput } from '../contracts/host.js';
import { CRAWL_ID_ATTRIBUTE, hostWorkflowId } from '../contracts/workflow-ids.js';
import { hostWorkflow } from './host-workflow.js';
import { wakeSignal } from './messages.js';
import { summary } from './ui-progress.js';

const TRIES = 5;

/** @returns whether a new run was started */
export async function ensureHost(input: HostInput): Promise<boolean> {
  for (let n = 0; n < TRIES; n += 1) {
    if (await tryStart(input)) return true;
    if (await wakeHost(input.crawlId, input.hostKey)) return false;
  }
  // It starts and ends as we look: the frontier nominates it again if there is work.
  return false;
}

/** @returns false when there is no such run */
export async function wakeHost(crawlId: string, hostKey: string): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(hostWorkflowId(crawlId, hostKey)).signal(wakeSignal);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** @returns false when there is no such run */
export async function cancelHost(crawlId: string, hostKey: string): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(hostWorkflowId(crawlId, hostKey)).cancel();
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function tryStart(input: HostInput): Promise<boolean> {
  const { crawlId, hostKey } = input;
  let handle: ChildWorkflowHandle<typeof hostWorkflow>;
  try {
    handle = await startChild(hostWorkflow, {
      workflowId: hostWorkflowId(crawlId, hostKey),
      args: [input],
      // A close policy would fire when the parent continues as new.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: summary(hostKey),
      memo: { crawlId, hostKey },
      typedSearchAttributes: new TypedSearchAttributes([
        { key: defineSearchAttributeKey(CRAWL_ID_ATTRIBUTE, 'KEYWORD'), value: crawlId },
      ]),
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError')
      return false;
    throw error;
  }
  // Its result travels through Redis; a failure shows in its own execution.
  handle.result().catch(() => undefined);
  return true;
}

function isNotFound(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ((cause as { type?: string }).type === 'ExternalWorkflowExecutionNotFound') return true;
  }
  return false;
}
