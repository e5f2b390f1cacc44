/** Whole crawls of 40 hosts × 50 pages from one seed, judged from the server's side. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { CrawlResult } from '../../src/contracts/crawl.js';
import type { PageRecord } from '../../src/contracts/urls.js';
import {
  connectCrawlStarter,
  startWorkerProcess,
  type CrawlStarter,
  type Engine,
  type WorkerProcess,
} from '../support/e2e/engine.js';
import * as verdict from '../support/e2e/verdict.js';
import type { RequestRecord } from '../support/synthetic-web/request-log.js';
import { startSyntheticWeb, type SyntheticWeb } from '../support/synthetic-web/start.js';

const AGENT = 'JudgedBot';
const out = mkdtempSync(join(tmpdir(), 'orbweaver-judged-'));
let engine: Engine;
let starter: CrawlStarter;
let worker: WorkerProcess;
let web: SyntheticWeb;

beforeAll(async () => {
  engine = {
    temporalAddress: inject('temporalAddress'),
    redisUrl: inject('redisUrl'),
    taskQueue: 'judged-crawls',
  };
  [web, worker, starter] = await Promise.all([
    startSyntheticWeb({ hosts: 40, pagesPerHost: 50, agentToken: AGENT }),
    startWorkerProcess(engine),
    connectCrawlStarter(engine),
  ]);
});

afterAll(async () => {
  await Promise.all([web?.stop(), worker?.stop(), starter?.close()]);
  rmSync(out, { recursive: true, force: true });
});

const ROUNDS = [
  { delayMs: 0, bound: 120_000 },
  { delayMs: 100, bound: 180_000 },
  { delayMs: 1000, bound: 600_000 },
];

describe.each(ROUNDS)(
  'C2, C5, F2, F7, Q1: 40 hosts × 50 pages at $delayMs ms',
  ({ delayMs, bound }) => {
    let log: RequestRecord[];
    let pages: PageRecord[];
    let result: CrawlResult;

    beforeAll(async () => {
      await web.clearLog();
      await web.forgetCounts();
      const crawlId = `judged-${delayMs}`;
      const crawl = await starter.start({
        crawlId,
        seeds: [web.seedUrl],
        options: {
          scope: 'any',
          delayMs,
          userAgent: `${AGENT}/1.0 (test@example.org)`,
          allowPrivate: true,
          mapHosts: [web.mapHosts],
          dedupe: 'exact',
          out,
        },
      });
      result = await crawl.result();
      log = await web.log();
      pages = await verdict.exportedPages(join(out, crawlId));
    }, bound);

    it('ends by itself with nothing outstanding', () => {
      expect(result).toMatchObject({
        state: 'finished',
        finishReason: 'completed',
        refusedSeeds: [],
      });
      expect(result.totals).toMatchObject({ outstanding: 0, held: 0, hosts: 40 });
    });

    it('exports every reachable allowed page once and no other', () => {
      verdict.expectWhole(pages, web.manifest);
    });

    it('fetches no page twice', () => {
      verdict.expectNoRepeat(log);
    });

    it('asks for nothing that robots.txt or nofollow forbids, and for no phantom', () => {
      verdict.expectObedient(log, web.manifest);
    });

    it('has one request in flight per host and keeps the delay between any two', () => {
      verdict.expectPolite(log, delayMs);
    });

    it('accounts for every discovered URL', () => {
      verdict.expectBalanced(result.totals, pages);
    });
  },
);
