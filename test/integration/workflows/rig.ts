/** Crawls with the real workers on the shared Temporal and Redis, under a task queue of their own. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { NativeConnection } from '@temporalio/worker';
import { inject } from 'vitest';
import type { CrawlInput, CrawlProgress, CrawlResult } from '../../../src/contracts/crawl.js';
import type { HostProgress } from '../../../src/contracts/host.js';
import {
  CRAWL_ID_ATTRIBUTE,
  CRAWL_WORKFLOW,
  crawlWorkflowId,
  hostWorkflowId,
} from '../../../src/contracts/workflow-ids.js';
import { exportRecords } from '../../../src/output/export.js';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { connectRedis, type Redis } from '../../../src/redis/connection.js';
import {
  startWorkers,
  type RunningWorkers,
  type StartWorkersOptions,
} from '../../../src/workers/start-workers.js';
import type { PageRecord } from '../../../src/contracts/urls.js';
import { startWeb, type Web } from './web.js';
import './quiet.js';

export interface Rig {
  readonly web: Web;
  readonly client: Client;
  readonly redis: Redis;
  readonly taskQueue: string;
  /** Start a crawl; options default to no delay on this web. */
  crawl(input: Partial<CrawlInput>, workflowId?: string): Promise<Crawl>;
  /** Workers beyond those of the rig; they end with it. */
  addWorkers(options?: Partial<StartWorkersOptions>): Promise<RunningWorkers>;
  close(): Promise<void>;
}

/** A started crawl as tests look at it. */
export interface Crawl {
  readonly crawlId: string;
  readonly handle: WorkflowHandle;
  readonly frontier: RedisFrontier;
  result(): Promise<CrawlResult>;
  host(hostKey: string): WorkflowHandle;
  progress(): Promise<CrawlProgress>;
  hostProgress(hostKey: string): Promise<HostProgress>;
  command(command: object): Promise<CrawlProgress>;
  /** One record per URL, as `export` prints them, by URL. */
  records(): Promise<Map<string, PageRecord>>;
  /** Start the parent anew, as `orbweaver resume` does. */
  resume(input?: Partial<CrawlInput>): Promise<Crawl>;
}

/** Workers as a user starts them, unless told otherwise. */
export async function startRig(options: Partial<StartWorkersOptions> = {}): Promise<Rig> {
  const address = inject('temporalAddress');
  const redisUrl = inject('redisUrl');
  const taskQueue = `test-${randomUUID()}`;
  const out = mkdtempSync(join(tmpdir(), 'orbweaver-out-'));
  const [web, native, connection] = await Promise.all([
    startWeb(),
    NativeConnection.connect({ address }),
    Connection.connect({ address }),
  ]);
  const client = new Client({ connection });
  const redis = connectRedis(redisUrl);
  const workers: RunningWorkers[] = [];
  const addWorkers = async (more: Partial<StartWorkersOptions> = {}) => {
    const running = await startWorkers({
      ...{ connection: native, namespace: 'default', redisUrl, taskQueue },
      ...{ roles: ['workflow', 'fetch'], shutdownGraceMs: 2000 },
      ...options,
      ...more,
    });
    workers.push(running);
    return running;
  };
  if (options.roles === undefined || options.roles.length > 0) await addWorkers();

  const crawl = async (input: Partial<CrawlInput>, workflowId?: string): Promise<Crawl> => {
    const crawlId = input.crawlId ?? `t-${randomUUID().slice(0, 13)}`;
    const defaults = {
      delayMs: 0,
      allowPrivate: true,
      mapHosts: web.mapHosts,
      out,
      dedupe: 'exact',
    };
    const handle = await client.workflow.start(CRAWL_WORKFLOW, {
      taskQueue,
      workflowId: workflowId ?? crawlWorkflowId(crawlId),
      args: [
        {
          ...input,
          crawlId,
          options: input.resume ? (input.options ?? {}) : { ...defaults, ...input.options },
          tuning: { lingerMs: 500, ...input.tuning },
        } satisfies CrawlInput,
      ],
      memo: { crawlId },
      typedSearchAttributes: new TypedSearchAttributes([
        { key: defineSearchAttributeKey(CRAWL_ID_ATTRIBUTE, 'KEYWORD'), value: crawlId },
      ]),
    });
    const host = (hostKey: string) => client.workflow.getHandle(hostWorkflowId(crawlId, hostKey));
    return {
      crawlId,
      handle,
      frontier: new RedisFrontier(redis, crawlId),
      result: () => handle.result() as Promise<CrawlResult>,
      host,
      progress: () => handle.query<CrawlProgress>('progress'),
      hostProgress: (hostKey) => host(hostKey).query<HostProgress>('progress'),
      command: (command) =>
        handle.executeUpdate<CrawlProgress, [object]>('carryOut', { args: [command] }),
      records: async () => {
        const records = new Map<string, PageRecord>();
        for await (const record of exportRecords({ dir: join(out, crawlId), select: 'all' })) {
          records.set(record.url, record);
        }
        return records;
      },
      resume: (more = {}) => crawl({ crawlId, resume: true, tuning: input.tuning ?? {}, ...more }),
    };
  };

  return {
    web,
    client,
    redis,
    taskQueue,
    crawl,
    addWorkers,
    async close() {
      await Promise.all(workers.map((running) => running.shutdown()));
      await Promise.all([native.close(), connection.close(), web.close()]);
      redis.disconnect();
      rmSync(out, { recursive: true, force: true });
    },
  };
}
