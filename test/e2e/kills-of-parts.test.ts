/** Parts of a running engine are killed, several times each in one crawl; nothing is lost. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrawlResult } from '../../src/contracts/crawl.js';
import type { PageRecord } from '../../src/contracts/urls.js';
import {
  connectCrawlStarter,
  startWorkerProcess,
  type CrawlStarter,
  type Engine,
  type WorkerProcess,
} from '../support/e2e/engine.js';
import { killByPlan, unexplainedRepeats, type Kill, type Trouble } from '../support/e2e/kills.js';
import * as verdict from '../support/e2e/verdict.js';
import { freshRedis, freshTemporal } from '../support/servers.js';
import type { RequestRecord } from '../support/synthetic-web/request-log.js';
import { startSyntheticWeb, type SyntheticWeb } from '../support/synthetic-web/start.js';

const HOSTS = 12;
/** Another one gives other moments. */
const SEED = Number(process.env['ORBWEAVER_TEST_SEED'] ?? 20);
const out = mkdtempSync(join(tmpdir(), 'orbweaver-kills-'));

let redis: Awaited<ReturnType<typeof freshRedis>>;
let temporal: Awaited<ReturnType<typeof freshTemporal>>;
let engine: Engine;
let starter: CrawlStarter;
const fetchers: WorkerProcess[] = [];
let leader: WorkerProcess;

const fetchWorkerDies = (which: number): Trouble => ({
  what: `fetch worker ${which} dies`,
  mayRepeat: true,
  breakIt: () => fetchers[which]!.stop(),
  mendIt: async () => {
    fetchers[which] = await startWorkerProcess(engine, 'fetch');
  },
});

const workflowWorkerDies: Trouble = {
  what: 'the workflow worker dies',
  mayRepeat: false,
  breakIt: () => leader.stop(),
  mendIt: async () => {
    leader = await startWorkerProcess(engine, 'workflow');
  },
};

const workflowWorkerFreezes: Trouble = {
  what: 'the workflow worker is stopped',
  mayRepeat: false,
  breakIt: async () => void process.kill(leader.pid, 'SIGSTOP'),
  mendIt: async () => void process.kill(leader.pid, 'SIGCONT'),
};

const redisDies: Trouble = {
  what: 'Redis dies',
  mayRepeat: true,
  breakIt: () => redis.kill('SIGKILL'),
  mendIt: () => redis.restart(),
};

const temporalDies: Trouble = {
  what: 'Temporal dies',
  mayRepeat: true,
  breakIt: () => temporal.kill('SIGKILL'),
  mendIt: () => temporal.restart(),
};

beforeAll(async () => {
  [redis, temporal] = await Promise.all([freshRedis(), freshTemporal()]);
  engine = { temporalAddress: temporal.address, redisUrl: redis.url, taskQueue: 'kills' };
  starter = await connectCrawlStarter(engine);
  [leader, fetchers[0], fetchers[1]] = await Promise.all([
    startWorkerProcess(engine, 'workflow'),
    startWorkerProcess(engine, 'fetch'),
    startWorkerProcess(engine, 'fetch'),
  ]);
});

afterAll(async () => {
  await Promise.all([leader, ...fetchers].map((one) => one?.stop()));
  await starter?.close();
  await Promise.all([redis?.dispose(), temporal?.dispose()]);
  rmSync(out, { recursive: true, force: true });
});

/** Turns of many pages with waits in the activity; turns of one page with durable timers. */
const ROUNDS = [
  {
    delayMs: 150,
    pages: 45,
    latencyMs: { min: 50, max: 200 },
    requests: { min: 30, max: 60 },
    troubles: [
      fetchWorkerDies(0),
      redisDies,
      workflowWorkerDies,
      temporalDies,
      fetchWorkerDies(1),
      workflowWorkerFreezes,
      redisDies,
      temporalDies,
    ],
  },
  {
    delayMs: 1000,
    pages: 8,
    latencyMs: { min: 300, max: 700 },
    requests: { min: 15, max: 35 },
    troubles: [
      temporalDies,
      fetchWorkerDies(1),
      workflowWorkerDies,
      redisDies,
      workflowWorkerFreezes,
      temporalDies,
    ],
  },
];

describe.each(ROUNDS)(
  'C2, C3, F1, F6, F9, F14: workers, Redis and Temporal die in a crawl at $delayMs ms',
  ({ delayMs, pages: pagesPerHost, latencyMs, requests, troubles }) => {
    let web: SyntheticWeb;
    let log: RequestRecord[];
    let pages: PageRecord[];
    let result: CrawlResult;
    let kills: Kill[];

    beforeAll(async () => {
      web = await startSyntheticWeb({ hosts: HOSTS, pagesPerHost, latencyMs });
      const crawlId = `kills-${delayMs}`;
      const crawl = await starter.start({
        crawlId,
        seeds: [web.seedUrl],
        options: {
          scope: 'any',
          delayMs,
          delayFactor: 0,
          allowPrivate: true,
          mapHosts: [web.mapHosts],
          dedupe: 'exact',
          out,
        },
      });
      kills = await killByPlan(web, {
        seed: SEED,
        troubles,
        minRequests: requests.min,
        maxRequests: requests.max,
        inFlight: 3,
        minAwayMs: 200,
        maxAwayMs: 3000,
      });
      result = await crawl.result();
      log = await web.log();
      pages = await verdict.exportedPages(join(out, crawlId));
    }, 300_000);

    afterAll(() => web?.stop());

    it('ends by itself with nothing outstanding', () => {
      expect(result).toMatchObject({ state: 'finished', finishReason: 'completed' });
      expect(result.totals).toMatchObject({ outstanding: 0, held: 0, hosts: HOSTS });
    });

    it('exports every reachable allowed page exactly once', () => {
      verdict.expectWhole(pages, web.manifest);
    });

    it('keeps the delay and one request at a time all the while', () => {
      verdict.expectPolite(log, delayMs);
    });

    it('asks again for a page at most once per kill that it ran in', () => {
      verdict.expectNone(unexplainedRepeats(log, kills), 'repeats that no kill explains');
    });

    it('asks for nothing that robots.txt or nofollow forbids', () => {
      verdict.expectObedient(log, web.manifest);
    });

    it('accounts for every discovered URL', () => {
      verdict.expectBalanced(result.totals, pages);
    });
  },
);
