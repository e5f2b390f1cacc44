/**
 * One real Redis and one real Temporal dev server per project of a vitest run, with the flags that
 * users get. Tests share them: each takes keys, crawl ids and task queues of its own.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import {
  provisionRedis,
  provisionTemporal,
  provisionTimeSkippingServer,
} from '../../src/servers/provision.js';
import { startRedis, type RedisExecutable } from '../../src/servers/redis-server.js';
import { startTemporal } from '../../src/servers/temporal-server.js';
import { workflowBundle } from '../../src/workers/workflow-bundle.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Redis with BF.*, AOF on, noeviction; shared by all tests of the run. */
    redisUrl: string;
    /** For tests that need a Redis of their own: see freshRedis in servers.ts. */
    redisExecutable: RedisExecutable;
    /** `host:port` of the shared dev server; its namespace is `default`. */
    temporalAddress: string;
    temporalUiUrl: string;
    /** The Temporal CLI. */
    temporalExecutable: string;
    /** For TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } }). */
    timeSkippingServerExecutable: string;
    /** Path of the workflows, bundled once for all files from the sources. */
    workflowBundlePath: string;
  }
}

/** Starts the servers; vitest calls what it returns at the end of the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const report = (line: string): void => console.error(line);
  const [redisExecutable, temporalExecutable, timeSkippingServer] = await Promise.all([
    provisionRedis({ report }),
    provisionTemporal({ report }),
    provisionTimeSkippingServer({ report }),
  ]);
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-test-'));
  const [redis, temporal] = await Promise.all([
    startRedis({ executable: redisExecutable, dir: join(dir, 'redis') }),
    startTemporal({ executable: temporalExecutable, dbFile: join(dir, 'temporal.db') }),
  ]);
  const bundlePath = join(dir, 'workflow-bundle.js');
  const bundle = await workflowBundle();
  if (!('code' in bundle)) throw new Error('expected the workflows to be bundled from sources');
  writeFileSync(bundlePath, bundle.code);
  project.provide('workflowBundlePath', bundlePath);
  project.provide('redisUrl', redis.url);
  project.provide('redisExecutable', redisExecutable);
  project.provide('temporalAddress', temporal.address);
  project.provide('temporalUiUrl', temporal.uiUrl);
  project.provide('temporalExecutable', temporalExecutable.path);
  project.provide('timeSkippingServerExecutable', timeSkippingServer);
  return async () => {
    await Promise.all([redis.stop(), temporal.stop()]);
    rmSync(dir, { recursive: true, force: true });
  };
}
