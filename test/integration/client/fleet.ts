/** A fleet of workers on a task queue of a test's own, and a small web for it to crawl. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { inject } from 'vitest';
import type { StartCrawlOptions } from '../../../src/client/index.js';
import { startWorkers, type RunningWorkers } from '../../../src/workers/index.js';
import { startSyntheticWeb, type SyntheticWeb } from '../../support/synthetic-web/start.js';

export interface Fleet {
  readonly client: Client;
  readonly taskQueue: string;
  readonly web: SyntheticWeb;
  /** The web's host number n, 0 to 2. */
  host(n: number): string;
  /** Folder for output, removed at the end. */
  readonly out: string;
  /** Options of a crawl of the web. */
  options(changes?: Partial<StartCrawlOptions>): StartCrawlOptions;
  start(): Promise<void>;
  /** Let running pages end and stop the workers. */
  stop(): Promise<void>;
  dispose(): Promise<void>;
}

/** Workers are not started yet. */
export async function prepareFleet(): Promise<Fleet> {
  const address = inject('temporalAddress');
  const taskQueue = `test-${randomUUID()}`;
  // Hosts' clocks are shared by all crawls of a Redis: every fleet crawls hosts of its own.
  const domain = `w${randomUUID().slice(0, 8)}.test`;
  const out = mkdtempSync(join(tmpdir(), 'orbweaver-out-'));
  const [connection, native, web] = await Promise.all([
    Connection.connect({ address }),
    NativeConnection.connect({ address }),
    startSyntheticWeb({ hosts: 3, pagesPerHost: 6, features: 'none', domain }),
  ]);
  let workers: RunningWorkers | undefined;
  const stop = async () => {
    await workers?.shutdown();
    workers = undefined;
  };
  return {
    client: new Client({ connection }),
    taskQueue,
    web,
    host: (n) => `site-00${n}.${domain}`,
    out,
    options: (changes = {}) => ({
      seeds: [web.seedUrl],
      scope: 'any',
      delayMs: 0,
      allowPrivate: true,
      mapHosts: [web.mapHosts],
      out,
      ...changes,
    }),
    async start() {
      workers = await startWorkers({
        connection: native,
        namespace: 'default',
        redisUrl: inject('redisUrl'),
        roles: ['workflow', 'fetch'],
        taskQueue,
        shutdownGraceMs: 5000,
      });
    },
    stop,
    async dispose() {
      await stop();
      await Promise.all([connection.close(), native.close(), web.stop()]);
      rmSync(out, { recursive: true, force: true });
    },
  };
}
