/**
 * A worker of one's own: the engine's workflows and activities beside yours, on your task queue.
 *
 *   TEMPORAL_ADDRESS=localhost:7233 REDIS_URL=redis://localhost:6379 npx tsx worker.ts
 */
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createFetchActivities, createFrontierActivities } from 'orbweaver/activities';
import { compose, fetchQueue, frontierQueue } from 'orbweaver/worker';
import * as ownActivities from './activities.js';

const taskQueue = process.env['TEMPORAL_TASK_QUEUE'] ?? 'my-crawls';
const connection = await NativeConnection.connect({
  address: process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233',
});
// Redis, fetcher and sinks of this process.
const engine = compose({ redisUrl: process.env['REDIS_URL'] ?? 'redis://localhost:6379' });

const workers = await Promise.all([
  Worker.create({
    connection,
    taskQueue,
    workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
    activities: ownActivities,
  }),
  // The engine's two queues are named after that of the workflows, so that they scale apart.
  Worker.create({
    connection,
    taskQueue: frontierQueue(taskQueue),
    activities: createFrontierActivities(engine.deps),
  }),
  Worker.create({
    connection,
    taskQueue: fetchQueue(taskQueue),
    activities: createFetchActivities(engine.deps),
    maxConcurrentActivityTaskExecutions: 200,
    // Running pages may end.
    shutdownGraceTime: '1 minute',
  }),
]);
// The SDK shuts workers down on these; turns should end after their running page.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => engine.drain());
console.log(`workers serve ${taskQueue}`);
await Promise.all(workers.map((worker) => worker.run()));
await engine.close();
await connection.close();
