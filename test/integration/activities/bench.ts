/** Activities without Temporal's server: the real ones on the real Redis and a real web. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { inject } from 'vitest';
import { createFetchActivities } from '../../../src/activities/fetch-activities.js';
import { createFrontierActivities } from '../../../src/activities/frontier-activities.js';
import type { TurnInput, TurnResult } from '../../../src/contracts/activities.js';
import type { Frontier } from '../../../src/contracts/frontier.js';
import type { PageRecord } from '../../../src/contracts/urls.js';
import { exportRecords } from '../../../src/output/export.js';
import { compose, type Composed } from '../../../src/workers/compose.js';
import { startWeb, type Web } from '../workflows/web.js';
import '../workflows/quiet.js';

type FrontierCalls = ReturnType<typeof createFrontierActivities>;

export interface Bench {
  readonly web: Web;
  readonly composed: Composed;
  readonly fetching: ReturnType<typeof createFetchActivities>;
  readonly parent: FrontierCalls;
  /** Open a crawl of these seeds. */
  open(seeds: readonly string[], options?: object): Promise<OpenCrawl>;
  close(): Promise<void>;
}

export interface OpenCrawl {
  readonly crawlId: string;
  readonly frontier: Frontier;
  /** Take a turn as the host's workflow would have it taken. */
  turn(hostKey: string, turn: number, attempt?: AttemptOptions): Promise<TurnResult>;
  records(): Promise<PageRecord[]>;
}

export interface AttemptOptions {
  readonly attempt?: number;
  readonly env?: MockActivityEnvironment;
}

/** Run one activity in its surroundings. */
export function runActivity<I, O>(
  env: MockActivityEnvironment,
  activity: (input: I) => Promise<O>,
  input: I,
): Promise<O> {
  return env.run<[I], O, (input: I) => Promise<O>>(activity, input);
}

/** An activity's surroundings: attempt, heartbeats, cancellation. */
export function attemptOf(attempt = 1, heartbeatMs = 10_000): MockActivityEnvironment {
  const info = { attempt, heartbeatTimeoutMs: heartbeatMs };
  return new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
}

export async function startBench(): Promise<Bench> {
  const out = mkdtempSync(join(tmpdir(), 'orbweaver-out-'));
  const web = await startWeb();
  const composed = compose({ redisUrl: inject('redisUrl') });
  const fetching = createFetchActivities(composed.deps);
  const parent = createFrontierActivities(composed.deps);
  return {
    ...{ web, composed, fetching, parent },
    async open(seeds, options = {}) {
      const crawlId = `t-${randomUUID().slice(0, 13)}`;
      const defaults = { delayMs: 0, allowPrivate: true, mapHosts: web.mapHosts, dedupe: 'exact' };
      await runActivity(attemptOf(), parent.openCrawl, {
        ...{ crawlId, seeds, requestId: 'open' },
        options: { ...defaults, out, ...options },
      });
      const { frontier } = composed.deps.crawl(crawlId);
      const owner = `${String(Date.now())}:run`;
      const parentOwner = `${String(Date.now())}:parent`;
      await frontier.nextHosts({ owner: parentOwner, requestId: 'first', max: 50 });
      return {
        crawlId,
        frontier,
        turn: (hostKey, turn, { attempt = 1, env = attemptOf(attempt) } = {}) => {
          const input: TurnInput = { crawlId, hostKey, owner, turn, nextUrl: null };
          return runActivity(env, fetching.fetchPages, input);
        },
        async records() {
          const records: PageRecord[] = [];
          const dir = join(out, crawlId);
          for await (const record of exportRecords({ dir, select: 'all' })) records.push(record);
          return records;
        },
      };
    },
    async close() {
      await composed.close();
      await web.close();
      rmSync(out, { recursive: true, force: true });
    },
  };
}
