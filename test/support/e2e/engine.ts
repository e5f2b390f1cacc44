/** The engine as tests drive it without the command line: worker processes and a Temporal client. */
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection, isGrpcServiceError, type WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import type { CrawlInput, CrawlResult } from '../../../src/contracts/crawl.js';
import {
  CRAWL_ID_ATTRIBUTE,
  CRAWL_WORKFLOW,
  crawlWorkflowId,
} from '../../../src/contracts/workflow-ids.js';
import type { WorkerRole } from '../../../src/workers/index.js';
import { waitFor, type ProcessResult } from '../chaos.js';
import { startCli } from './cli.js';

/** Where an engine's servers are, and the queue that its crawls run on. */
export interface Engine {
  readonly temporalAddress: string;
  readonly redisUrl: string;
  readonly taskQueue: string;
}

/** A worker process that can be stopped or killed alone. */
export interface WorkerProcess {
  readonly pid: number;
  /** Kill it; resolves when it has ended. */
  stop(): Promise<void>;
}

/** `orbweaver worker` as this role; resolves when it polls. */
export async function startWorkerProcess(
  { temporalAddress, redisUrl, taskQueue }: Engine,
  role: 'all' | WorkerRole = 'all',
): Promise<WorkerProcess> {
  const args = ['worker', '--role', role, '--task-queue', taskQueue];
  const env = { TEMPORAL_ADDRESS: temporalAddress, REDIS_URL: redisUrl };
  const cli = startCli(args, tmpdir(), env);
  const stop = async (): Promise<void> => {
    cli.kill('SIGKILL');
    await cli.ended;
  };
  let result: ProcessResult | undefined;
  void cli.ended.then((ended) => (result = ended));
  await waitFor(() => result ?? cli.output().stderr.includes('worker: role'), {
    what: `orbweaver ${args.join(' ')} polls`,
    timeoutMs: 60_000,
  });
  if (result) throw new Error(`the worker ended: ${result.stderr}`);
  return { pid: cli.pid, stop };
}

/** A crawl that was started. */
export interface StartedCrawl {
  readonly crawlId: string;
  /** Waits until it is over, however often Temporal goes away meanwhile. */
  result(): Promise<CrawlResult>;
  readonly handle: WorkflowHandle<(input: CrawlInput) => Promise<CrawlResult>>;
}

/** Start crawls on an engine. */
export interface CrawlStarter {
  readonly client: Client;
  start(input: CrawlInput): Promise<StartedCrawl>;
  close(): Promise<void>;
}

export async function connectCrawlStarter(engine: Engine): Promise<CrawlStarter> {
  const connection = await Connection.connect({ address: engine.temporalAddress });
  const client = new Client({ connection });
  return {
    client,
    start: async (input) => {
      const { crawlId } = input;
      const handle = await client.workflow.start<(input: CrawlInput) => Promise<CrawlResult>>(
        CRAWL_WORKFLOW,
        {
          workflowId: crawlWorkflowId(crawlId),
          taskQueue: engine.taskQueue,
          args: [input],
          memo: { crawlId },
          typedSearchAttributes: new TypedSearchAttributes([
            { key: defineSearchAttributeKey(CRAWL_ID_ATTRIBUTE, 'KEYWORD'), value: crawlId },
          ]),
        },
      );
      return { crawlId, handle, result: () => resultOf(handle) };
    },
    close: () => connection.close(),
  };
}

/** Between two tries to reach a Temporal that is away. */
const RECONNECT_MS = 200;

async function resultOf(handle: StartedCrawl['handle']): Promise<CrawlResult> {
  for (;;) {
    try {
      return await handle.result();
    } catch (error) {
      if (!isGrpcServiceError(error)) throw error;
      await delay(RECONNECT_MS);
    }
  }
}
