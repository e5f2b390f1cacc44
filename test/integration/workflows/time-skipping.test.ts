import { randomUUID } from 'node:crypto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { TurnInput, TurnResult } from '../../../src/contracts/activities.js';
import type { HostProgress, HostResult } from '../../../src/contracts/host.js';
import { fetchQueue, frontierQueue } from '../../../src/contracts/task-queues.js';
import { HOST_WORKFLOW } from '../../../src/contracts/workflow-ids.js';
import { workflowBundle } from '../../../src/workers/workflow-bundle.js';
import { eventsOf, summariesOf } from './histories.js';
import './quiet.js';

const QUEUE = 'skipping';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

const turn = (changes: Partial<TurnResult>): TurnResult => ({
  ...{ status: 'idle', waitMs: 0, reason: null, nextUrl: null, queued: 0 },
  counts: { fetched: 0, redirected: 0, skipped: 0, failed: 0, retried: 0, bytes: 0 },
  ...{ lastUrl: null, lastOutcome: null },
  ...changes,
});

/** The clock of Redis does not skip, so turns are scripted here; everything else is real. */
describe('long waits of a host', () => {
  let env: TestWorkflowEnvironment;
  const workers: Worker[] = [];
  let running: Promise<unknown>;
  const scripts = new Map<string, TurnResult[]>();
  const turns: TurnInput[] = [];
  const released: TurnInput[] = [];

  beforeAll(async () => {
    const path = inject('timeSkippingServerExecutable');
    env = await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
    });
    await env.connection.operatorService.addSearchAttributes({
      namespace: env.namespace ?? 'default',
      searchAttributes: { CrawlId: 2 },
    });
    const shared = {
      connection: env.nativeConnection,
      ...(env.namespace && { namespace: env.namespace }),
    };
    const fetchPages = async (input: TurnInput): Promise<TurnResult> => {
      turns.push(input);
      return Promise.resolve(scripts.get(input.hostKey)!.shift()!);
    };
    const releaseHost = async (input: TurnInput): Promise<void> => {
      released.push(input);
      return Promise.resolve();
    };
    workers.push(
      await Worker.create({ ...shared, taskQueue: QUEUE, workflowBundle: await workflowBundle() }),
      await Worker.create({ ...shared, taskQueue: fetchQueue(QUEUE), activities: { fetchPages } }),
      await Worker.create({
        ...shared,
        taskQueue: frontierQueue(QUEUE),
        activities: { releaseHost },
      }),
    );
    running = Promise.all(workers.map((worker) => worker.run()));
  });
  afterAll(async () => {
    for (const worker of workers) worker.shutdown();
    await running;
    await env.teardown();
  });

  async function start(script: TurnResult[]) {
    const hostKey = `h-${randomUUID()}.test`;
    scripts.set(hostKey, script);
    const handle = await env.client.workflow.start(HOST_WORKFLOW, {
      ...{ taskQueue: QUEUE, workflowId: `crawl/skip/host/${hostKey}` },
      args: [{ crawlId: 'skip', hostKey }],
    });
    // By its own events: the clock runs on, and ten years ahead, when nothing waits.
    const passedMs = async () => {
      const { startTime, closeTime } = await handle.describe();
      return closeTime!.getTime() - startTime.getTime();
    };
    return { hostKey, handle, passedMs };
  }

  it('a Retry-After of six hours is one durable timer', async () => {
    const next = 'http://a.test/x';
    const { handle, passedMs, hostKey } = await start([
      turn({ status: 'wait', waitMs: 6 * HOUR, reason: 'HTTP 503', nextUrl: next }),
      turn({ status: 'idle', lastUrl: next }),
    ]);
    expect(await handle.result()).toMatchObject({ lastUrl: next, turns: 2 });
    expect(await passedMs()).toBeGreaterThanOrEqual(6 * HOUR);
    const timers = summariesOf(await eventsOf(handle), 'TIMER_STARTED');
    expect(timers).toEqual([`HTTP 503, next ${next}`, 'queue empty: lingering for new URLs']);
    const own = turns.filter((input) => input.hostKey === hostKey);
    expect(own.map((input) => [input.turn, input.nextUrl])).toEqual([
      [1, null],
      [2, next],
    ]);
    expect(own[0]!.owner).toBe(own[1]!.owner);
  });

  it('a host that is down for a day is asked less and less often', async () => {
    const waits = Array.from({ length: 11 }, (_unused, n) => 60_000 * 2 ** n);
    const { handle, passedMs } = await start([
      ...waits.map((waitMs) => turn({ status: 'wait', waitMs, reason: 'FETCH_CONNECT' })),
      turn({ status: 'idle' }),
    ]);
    expect(await handle.result()).toMatchObject({ turns: 12 });
    expect(await passedMs()).toBeGreaterThanOrEqual(DAY);
    expect((await eventsOf(handle)).length).toBeLessThan(12 * 12);
  });

  it('a pause of a week ends by a wake', async () => {
    const { handle, passedMs } = await start([
      turn({ status: 'paused', reason: 'paused' }),
      turn({ status: 'idle' }),
    ]);
    await env.sleep(WEEK);
    expect(await handle.query<HostProgress>('progress')).toMatchObject({
      state: 'paused',
      turns: 1,
    });
    await handle.signal('wake');
    expect(await handle.result()).toMatchObject({ turns: 2 });
    expect(await passedMs()).toBeGreaterThanOrEqual(WEEK);
  });

  it('a host without work lingers for ten seconds, and a wake makes it look again', async () => {
    const { handle, passedMs } = await start([turn({}), turn({}), turn({})]);
    await env.sleep('5 seconds');
    await handle.signal('wake');
    await env.sleep('9 seconds');
    expect(await handle.query<HostProgress>('progress')).toMatchObject({ turns: 2 });
    expect(await handle.result()).toMatchObject({ turns: 2, state: 'idle' });
    expect(await passedMs()).toBeGreaterThanOrEqual(15_000);
    expect(await passedMs()).toBeLessThan(60_000);
  });

  it('cancelled in a long wait, it gives its lease back under a later turn', async () => {
    const { handle, hostKey } = await start([
      turn({ status: 'wait', waitMs: DAY, reason: 'HTTP 429' }),
    ]);
    await env.sleep('1 hour');
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow(/cancel/i);
    expect(released.filter((input) => input.hostKey === hostKey)).toMatchObject([{ turn: 2 }]);
  });

  it('a fenced turn adopts the turn on record, or ends when a later run owns the host', async () => {
    const first = await start([
      turn({ status: 'fenced', fencedBy: { owner: '0:same', turn: 40 } }),
      turn({ status: 'idle' }),
    ]);
    await first.handle.result();
    expect(turns.filter(({ hostKey }) => hostKey === first.hostKey).map((own) => own.turn)).toEqual(
      [1, 41],
    );
    const second = await start([
      turn({ status: 'fenced', fencedBy: { owner: '9999999999999:later', turn: 1 } }),
    ]);
    expect((await second.handle.result()) as HostResult).toMatchObject({ turns: 1 });
  });

  it('a blocked host comes back until its queue is empty', async () => {
    const { handle } = await start([
      turn({ status: 'blocked', reason: 'FETCH_CONNECT', queued: 200 }),
      turn({ status: 'blocked', reason: 'FETCH_CONNECT', queued: 0 }),
    ]);
    expect(await handle.result()).toMatchObject({ turns: 2, state: 'blocked' });
  });
});
