/**
 * Task queues. Workflows, fetches and frontier steps have one each, so that they scale apart; the
 * latter two are named after the workflows' queue, which a client chooses.
 */

/** Queue of the workflows unless another is chosen. */
export const DEFAULT_TASK_QUEUE = 'orbweaver';

/** Queue of the turns: fetch workers serve it. */
export const fetchQueue = (workflowQueue: string): string => `${workflowQueue}-fetch`;

/** Queue of the short frontier steps and of the long poll for hosts. */
export const frontierQueue = (workflowQueue: string): string => `${workflowQueue}-frontier`;
