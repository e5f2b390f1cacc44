/** Workers of one process: workflows, frontier steps, fetches, or all of them. */
import type { NativeConnection } from '@temporalio/worker';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { createFetchActivities } from '../activities/fetch-activities.js';
import { createFrontierActivities } from '../activities/frontier-activities.js';
import { DEFAULT_TASK_QUEUE, fetchQueue, frontierQueue } from '../contracts/task-queues.js';
import { compose, type ComposeOptions } from './compose.js';
import { workflowBundle } from './workflow-bundle.js';

/** What a worker process does: workflows with the frontier's steps, fetches, or both. */
export type WorkerRole = 'workflow' | 'fetch';

export interface StartWorkersOptions extends ComposeOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly roles: readonly WorkerRole[];
  /** Queue of the workflows; default `orbweaver`. */
  readonly taskQueue?: string;
  /** Turns at once in this process; default 200. */
  readonly slots?: number;
  /** Workflows kept in memory; default 2,000. */
  readonly maxCachedWorkflows?: number;
  /** Running pages may take so long to end at a shutdown; default 60 s. */
  readonly shutdownGraceMs?: number;
}

export interface RunningWorkers {
  /** Settles when all workers have stopped; rejects when one fails. */
  readonly done: Promise<void>;
  /** Let running pages end, then stop. */
  shutdown(): Promise<void>;
}

export const DEFAULT_SLOTS = 200;
const FRONTIER_SLOTS = 200;
/** Time that cancelled activities have to end, after the grace. */
const FORCE_AFTER_MS = 15_000;

export async function startWorkers(options: StartWorkersOptions): Promise<RunningWorkers> {
  const composed = compose(options);
  const queue = options.taskQueue ?? DEFAULT_TASK_QUEUE;
  const graceMs = options.shutdownGraceMs ?? 60_000;
  const shared = {
    connection: options.connection,
    namespace: options.namespace,
    shutdownGraceTime: graceMs,
    // An activity that hears nothing any more must not keep the process.
    shutdownForceTime: graceMs + FORCE_AFTER_MS,
  } satisfies Partial<WorkerOptions>;
  const wanted: WorkerOptions[] = [];
  if (options.roles.includes('workflow')) {
    wanted.push(
      {
        ...shared,
        taskQueue: queue,
        workflowBundle: await workflowBundle(),
        maxCachedWorkflows: options.maxCachedWorkflows ?? 2000,
      },
      {
        ...shared,
        taskQueue: frontierQueue(queue),
        activities: createFrontierActivities(composed.deps),
        maxConcurrentActivityTaskExecutions: FRONTIER_SLOTS,
      },
    );
  }
  if (options.roles.includes('fetch')) {
    wanted.push({
      ...shared,
      taskQueue: fetchQueue(queue),
      activities: createFetchActivities(composed.deps),
      maxConcurrentActivityTaskExecutions: options.slots ?? DEFAULT_SLOTS,
    });
  }
  const workers = await Promise.all(wanted.map((one) => Worker.create(one)));
  const stopAll = () => {
    composed.drain();
    for (const worker of workers) {
      if (worker.getState() === 'RUNNING') worker.shutdown();
    }
  };
  const done = Promise.all(
    workers.map((worker) =>
      worker.run().catch((error: unknown) => {
        stopAll();
        throw error;
      }),
    ),
  )
    .then(() => undefined)
    .finally(() => composed.close());
  done.catch(() => undefined);
  return {
    done,
    async shutdown() {
      stopAll();
      await done;
    },
  };
}
