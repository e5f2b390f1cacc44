/**
 * Workers in a process of their own, so that a test can stop or kill them alone.
 *
 *     node --import tsx test/support/e2e/worker-main.ts --options '{"temporalAddress": …}'
 *
 * Announces itself once it polls; SIGTERM lets running pages end.
 */
import { parseArgs } from 'node:util';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { startWorkers, type WorkerRole } from '../../../src/workers/index.js';
import { announce, endWithStdin } from '../server-process.js';

/** What a worker process is told. */
export interface WorkerProcessOptions {
  /** `host:port` of Temporal. */
  readonly temporalAddress: string;
  readonly redisUrl: string;
  readonly roles: readonly WorkerRole[];
  /** Queue of the workflows; the others are named after it. */
  readonly taskQueue: string;
  /** Turns at once. @default that of the engine */
  readonly slots?: number;
}

const { values } = parseArgs({
  options: { options: { type: 'string' }, 'end-with-stdin': { type: 'boolean' } },
});
const options = JSON.parse(values.options ?? '') as WorkerProcessOptions;
if (values['end-with-stdin']) endWithStdin();

// Signals are ours: the runtime would end the process under pages that run.
Runtime.install({ shutdownSignals: [] });
const connection = await NativeConnection.connect({ address: options.temporalAddress });
const workers = await startWorkers({
  connection,
  namespace: 'default',
  redisUrl: options.redisUrl,
  roles: options.roles,
  taskQueue: options.taskQueue,
  ...(options.slots === undefined ? {} : { slots: options.slots }),
});
process.once('SIGTERM', () => void workers.shutdown());
announce({ pid: process.pid });
await workers.done;
await connection.close();
process.exit(0);
