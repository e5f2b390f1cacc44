import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { CrawlChange, TurnInput, TurnResult } from '../../../src/contracts/activities.js';
import type { CrawlProgress, CrawlResult } from '../../../src/contracts/crawl.js';
import type { NextHosts } from '../../../src/contracts/frontier.js';
import { fetchQueue, frontierQueue } from '../../../src/contracts/task-queues.js';
import { CRAWL_WORKFLOW, HOST_WORKFLOW } from '../../../src/contracts/workflow-ids.js';
import { workflowBundle } from '../../../src/workers/workflow-bundle.js';
import { newCrawlProgress } from '../../../src/workflows/crawl-state.js';
import './quiet.js';

const NO_TURN: TurnResult = {
  ...{ status: 'idle', waitMs: 0, reason: null, nextUrl: null, queued: 0 },
  counts: { fetched: 0, redirected: 0, skipped: 0, failed: 0, retried: 0, bytes: 0 },
  ...{ lastUrl: null, lastOutcome: null },
};

/** Activities are scripted, so that what comes at the worst moment comes just then. */
describe('what comes at the last moment', () => {
  let client: Client;
  let connections: { close(): Promise<void> }[];
  let running: Promise<unknown>;
  const workers: Worker[] = [];
  const queue = `test-${randomUUID()}`;
  /** Scripts by host key or crawl id. */
  const turns = new Map<string, (turn: number) => Promise<TurnResult>>();
  const ends = new Map<string, () => Promise<void>>();
  const done: string[] = [];
  /** Crawls whose Redis was set back to before their seeds. */
  const withoutSeeds = new Set<string>();

  const frontierScript = {
    openCrawl: async () => Promise.resolve({ refusedSeeds: [], state: 'running' }),
    nextHosts: async ({ crawlId }: { crawlId: string }): Promise<NextHosts> => {
      done.push(`${crawlId} nextHosts`);
      const { finishReason, totals } = newCrawlProgress(crawlId);
      return Promise.resolve({
        ...{ version: 1, state: 'running', finishReason },
        totals: { ...totals, discovered: withoutSeeds.has(crawlId) ? 0 : 1 },
        ...{ hosts: [], isDone: true, needsRecount: false, isFenced: false },
      });
    },
    addSeeds: async ({ crawlId }: { crawlId: string }) => {
      done.push(`${crawlId} addSeeds`);
      withoutSeeds.delete(crawlId);
      return Promise.resolve({ added: 1, refusedSeeds: [] });
    },
    changeCrawl: async ({ crawlId, state }: CrawlChange) => {
      done.push(`${crawlId} ${String(state)}`);
      return Promise.resolve(state ?? 'running');
    },
    liveHosts: async () => Promise.resolve([]),
    finishCrawl: async ({ crawlId }: CrawlChange): Promise<CrawlResult> => {
      done.push(`${crawlId} finishCrawl`);
      await ends.get(crawlId)?.();
      const progress: CrawlProgress = newCrawlProgress(crawlId);
      return { ...progress, state: 'finished', finishReason: 'completed', durationMs: 1 };
    },
  };

  beforeAll(async () => {
    const address = inject('temporalAddress');
    const connection = await Connection.connect({ address });
    const native = await NativeConnection.connect({ address });
    connections = [connection, native];
    client = new Client({ connection });
    const fetchPages = ({ hostKey, turn }: TurnInput) => turns.get(hostKey)!(turn);
    const on = (taskQueue: string, activities: object) =>
      Worker.create({ connection: native, taskQueue, activities });
    workers.push(
      await Worker.create({
        ...{ connection: native, taskQueue: queue, workflowBundle: await workflowBundle() },
      }),
      await on(fetchQueue(queue), { fetchPages }),
      await on(frontierQueue(queue), frontierScript),
    );
    running = Promise.all(workers.map((worker) => worker.run()));
  });
  afterAll(async () => {
    for (const worker of workers) worker.shutdown();
    await running;
    for (const connection of connections) await connection.close();
  });

  it.concurrent.each(['idle', 'noPlace', 'exhausted', 'blocked', 'stopped'] as const)(
    'a host that is woken during a turn that ends as %s looks once more',
    async (status) => {
      const hostKey = `${randomUUID()}.test`;
      const workflowId = `crawl/moment/host/${hostKey}`;
      const seen: number[] = [];
      turns.set(hostKey, async (turn) => {
        seen.push(turn);
        if (turn === 1) await client.workflow.getHandle(workflowId).signal('wake');
        return { ...NO_TURN, status };
      });
      const handle = await client.workflow.start(HOST_WORKFLOW, {
        ...{ taskQueue: queue, workflowId },
        args: [{ crawlId: 'moment', hostKey, tuning: { lingerMs: 100 } }],
      });
      await handle.result();
      expect(seen).toEqual([1, 2]);
    },
  );

  it.concurrent('seeds that come while the crawl is being finished make it go on', async () => {
    const crawlId = `c-${randomUUID()}`;
    const handle = await start(crawlId);
    // The frontier has said "done", the parent is ending: now.
    let isFirst = true;
    ends.set(crawlId, async () => {
      if (!isFirst) return;
      isFirst = false;
      const args: [object] = [{ seeds: ['http://late.test/'] }];
      const reply = await handle.executeUpdate('addSeeds', { args });
      expect(reply).toMatchObject({ added: 1 });
    });
    expect(await handle.result()).toMatchObject({ state: 'finished' });
    expect(stepsOf(crawlId)).toEqual([
      ...['nextHosts', 'finishCrawl', 'addSeeds', 'running'],
      ...['nextHosts', 'finishCrawl'],
    ]);
  });

  it.concurrent('a command that comes while the crawl is being finished is answered', async () => {
    const crawlId = `c-${randomUUID()}`;
    const handle = await start(crawlId);
    let isFirst = true;
    ends.set(crawlId, async () => {
      if (!isFirst) return;
      isFirst = false;
      await handle.executeUpdate('carryOut', { args: [{ kind: 'requeueDeadLetters' }] });
    });
    await handle.result();
    expect(stepsOf(crawlId).filter((step) => step === 'finishCrawl').length).toBe(2);
  });

  it.concurrent('seeds that Redis forgot are planted again (F9)', async () => {
    const crawlId = `c-${randomUUID()}`;
    withoutSeeds.add(crawlId);
    await (await start(crawlId)).result();
    expect(stepsOf(crawlId)).toEqual(['nextHosts', 'addSeeds', 'nextHosts', 'finishCrawl']);
  });

  const start = (crawlId: string) =>
    client.workflow.start(CRAWL_WORKFLOW, {
      ...{ taskQueue: queue, workflowId: `crawl/${crawlId}` },
      args: [{ crawlId, seeds: ['http://a.test/'] }],
    });
  const stepsOf = (crawlId: string) =>
    done.flatMap((step) => (step.startsWith(crawlId) ? [step.slice(crawlId.length + 1)] : []));
});
