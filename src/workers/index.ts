/** Ready-made workers, and the parts of which one's own are made. */
export {
  startWorkers,
  type RunningWorkers,
  type StartWorkersOptions,
  type WorkerRole,
} from './start-workers.js';
export { compose, type Composed, type ComposeOptions } from './compose.js';
export { DEFAULT_TASK_QUEUE, fetchQueue, frontierQueue } from '../contracts/task-queues.js';
