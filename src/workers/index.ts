/** Ready-made workers, for processes of one's own. */
export {
  startWorkers,
  type RunningWorkers,
  type StartWorkersOptions,
  type WorkerRole,
} from './start-workers.js';
