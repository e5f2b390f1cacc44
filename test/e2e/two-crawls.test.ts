/** Two crawls of the same hosts at once, each with workers of its own, over one Redis. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { CrawlResult } from '../../src/contracts/crawl.js';
import {
  connectCrawlStarter,
  startWorkerProcess,
  type CrawlStarter,
  type WorkerProcess,
} from '../support/e2e/engine.js';
import * as verdict from '../support/e2e/verdict.js';
import { shares } from '../support/synthetic-web/judge-shares.js';
import type { RequestRecord } from '../support/synthetic-web/request-log.js';
import { startSyntheticWeb, type SyntheticWeb } from '../support/synthetic-web/start.js';

const AGENTS = ['FirstBot', 'SecondBot'] as const;
const HOSTS = 8;
const out = mkdtempSync(join(tmpdir(), 'orbweaver-two-'));
const engines = AGENTS.map((agent) => ({
  temporalAddress: inject('temporalAddress'),
  redisUrl: inject('redisUrl'),
  taskQueue: `two-crawls-${agent}`,
}));
let starters: CrawlStarter[] = [];
let workers: WorkerProcess[] = [];

beforeAll(async () => {
  [starters, workers] = await Promise.all([
    Promise.all(engines.map(connectCrawlStarter)),
    Promise.all(engines.map((engine) => startWorkerProcess(engine))),
  ]);
});

afterAll(async () => {
  await Promise.all([
    ...starters.map((starter) => starter.close()),
    ...workers.map((worker) => worker.stop()),
  ]);
  rmSync(out, { recursive: true, force: true });
});

const ROUNDS = [
  { delayMs: 0, pages: 40, latencyMs: { min: 20, max: 80 } },
  { delayMs: 100, pages: 40, latencyMs: { min: 0, max: 20 } },
  { delayMs: 1000, pages: 20, latencyMs: { min: 0, max: 20 } },
];

describe.each(ROUNDS)('F1, F2: two crawls of the same hosts at $delayMs ms', (round) => {
  const { delayMs, pages, latencyMs } = round;
  let web: SyntheticWeb;
  let log: RequestRecord[];
  let results: CrawlResult[];

  beforeAll(async () => {
    web = await startSyntheticWeb({
      hosts: HOSTS,
      pagesPerHost: pages,
      features: 'none',
      latencyMs,
    });
    const crawls = await Promise.all(
      AGENTS.map((agent, at) =>
        starters[at]!.start({
          crawlId: `${agent}-${delayMs}`.toLowerCase(),
          seeds: [web.seedUrl],
          options: {
            scope: 'any',
            delayMs,
            userAgent: `${agent}/1.0 (test@example.org)`,
            allowPrivate: true,
            mapHosts: [web.mapHosts],
            dedupe: 'exact',
            out,
          },
        }),
      ),
    );
    results = await Promise.all(crawls.map((crawl) => crawl.result()));
    log = await web.log();
  }, 200_000);

  afterAll(() => web?.stop());

  it('both find every page', async () => {
    for (const { crawlId, state } of results) {
      expect(state).toBe('finished');
      verdict.expectWhole(await verdict.exportedPages(join(out, crawlId)), web.manifest);
    }
  });

  it('share one clock: one request at a time, the full delay between any two', () => {
    verdict.expectPolite(log, delayMs);
  });

  it('get 40 to 60 % of the requests each while both have work', () => {
    const { total, hosts } = shares(log, AGENTS);
    const told = JSON.stringify({ total, hosts: [...hosts] });
    // They overlapped for most of their work: a share of a moment would prove nothing.
    expect(total.first + total.second, told).toBeGreaterThan(HOSTS * pages);
    expect(total.firstShare, told).toBeGreaterThanOrEqual(0.4);
    expect(total.firstShare, told).toBeLessThanOrEqual(0.6);
  });
});
