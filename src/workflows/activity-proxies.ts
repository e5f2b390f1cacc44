/**
 * Activities with their time limits and retry policies (C3). Trouble of ours (Redis away, worker
 * gone) is retried for ever, at most a minute apart: a crawl waits, it does not die.
 */
import { ActivityCancellationType, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { FetchActivities, FrontierActivities } from '../contracts/activities.js';
import { fetchQueue, frontierQueue } from '../contracts/task-queues.js';

const DEFAULT_HEARTBEAT_MS = 10_000;
/** A turn ends by itself long before (turn.maxMs, totalTimeout); this bounds a hanging one. */
const TURN_TIMEOUT = '1 hour';

/** Turns, on the fetch queue that belongs to this workflow's queue. */
export function fetchActivities(heartbeatMs = DEFAULT_HEARTBEAT_MS) {
  return proxyActivities<FetchActivities>({
    taskQueue: fetchQueue(workflowInfo().taskQueue),
    startToCloseTimeout: TURN_TIMEOUT,
    heartbeatTimeout: heartbeatMs,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  });
}

/** Short steps on the frontier queue. */
export function frontierActivities() {
  return proxyActivities<FrontierActivities>({
    taskQueue: frontierQueue(workflowInfo().taskQueue),
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '30 seconds',
    retry: {
      initialInterval: '200 milliseconds',
      backoffCoefficient: 2,
      maximumInterval: '10 seconds',
    },
  });
}

/** The long poll for hosts, on the frontier queue. */
export function pollActivities() {
  return proxyActivities<Pick<FrontierActivities, 'nextHosts'>>({
    taskQueue: frontierQueue(workflowInfo().taskQueue),
    summary: 'wait for hosts with work',
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '10 seconds',
    retry: {
      initialInterval: '200 milliseconds',
      backoffCoefficient: 2,
      maximumInterval: '10 seconds',
    },
  });
}
