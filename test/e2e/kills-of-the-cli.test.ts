/**
 * The command line's whole process group, its servers and their keeper die in one crawl; `resume` goes
 * on, and whoever owns a server starts it again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageRecord } from '../../src/contracts/urls.js';
import type { CliProcess } from '../support/chaos.js';
import {
  exportByCli,
  partPid,
  startCli,
  summaryOf,
  untilBack,
  type CliSummary,
  type EmbeddedPart,
} from '../support/e2e/cli.js';
import { killByPlan, unexplainedRepeats, type Kill, type Trouble } from '../support/e2e/kills.js';
import * as verdict from '../support/e2e/verdict.js';
import type { RequestRecord } from '../support/synthetic-web/request-log.js';
import { startSyntheticWeb, type SyntheticWeb } from '../support/synthetic-web/start.js';

const DELAY_MS = 150;
const HOSTS = 8;
const CRAWL_ID = 'kills-of-the-cli';
/** Another one gives other moments. */
const SEED = Number(process.env['ORBWEAVER_TEST_SEED'] ?? 30);
const dir = mkdtempSync(join(tmpdir(), 'orbweaver-cli-kills-'));

let web: SyntheticWeb;
let cli: CliProcess;
let log: RequestRecord[];
let pages: PageRecord[];
let summary: CliSummary;
let kills: Kill[];

const cliDies: Trouble = {
  what: "the CLI's process group dies",
  mayRepeat: true,
  breakIt: async () => {
    cli.kill('SIGKILL');
    await cli.ended;
  },
  mendIt: async () => {
    cli = startCli(['resume', CRAWL_ID, '--json'], dir);
  },
};

function partDies(part: EmbeddedPart): Trouble {
  let pid = 0;
  return {
    what: `${part} dies`,
    mayRepeat: true,
    breakIt: async () => {
      pid = partPid(dir, part);
      process.kill(pid, 'SIGKILL');
    },
    mendIt: async () => void (await untilBack(dir, part, pid)),
  };
}

beforeAll(async () => {
  web = await startSyntheticWeb({
    hosts: HOSTS,
    pagesPerHost: 45,
    latencyMs: { min: 50, max: 200 },
  });
  const options = {
    'crawl-id': CRAWL_ID,
    scope: 'any',
    delay: DELAY_MS,
    'delay-factor': 0,
    'map-hosts': web.mapHosts,
    dedupe: 'exact',
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  cli = startCli(['crawl', web.seedUrl, '--allow-private', '--json', ...flags], dir);
  kills = await killByPlan(web, {
    seed: SEED,
    troubles: [
      cliDies,
      partDies('Redis'),
      cliDies,
      partDies('Temporal'),
      partDies('keeper'),
      cliDies,
    ],
    minRequests: 30,
    maxRequests: 60,
    inFlight: 3,
    // Within a second the servers are still there; later they must be started again.
    minAwayMs: 100,
    maxAwayMs: 4000,
  }).catch((error: unknown) => {
    const { stderr } = cli.output();
    throw new Error(`the last process said:\n${stderr.slice(-2_000)}`, { cause: error });
  });
  summary = await summaryOf(cli);
  log = await web.log();
  pages = await exportByCli(CRAWL_ID, dir);
}, 300_000);

afterAll(async () => {
  cli?.kill('SIGKILL');
  await web?.stop();
  rmSync(dir, { recursive: true, force: true });
});

describe('F1, F6, F9, F14: the command line, its servers and their keeper die in one crawl', () => {
  it('ends by itself with nothing outstanding', () => {
    expect(summary).toMatchObject({
      crawlId: CRAWL_ID,
      state: 'finished',
      finishReason: 'completed',
      queued: 0,
      hosts: HOSTS,
    });
  });

  it('exports every reachable allowed page exactly once', () => {
    verdict.expectWhole(pages, web.manifest);
    expect(pages).toHaveLength(summary.fetched);
  });

  it('keeps the delay and one request at a time all the while', () => {
    verdict.expectPolite(log, DELAY_MS);
  });

  it('asks again for a page at most once per kill that it ran in', () => {
    verdict.expectNone(unexplainedRepeats(log, kills), 'repeats that no kill explains');
  });

  it('asks for nothing that robots.txt or nofollow forbids', () => {
    verdict.expectObedient(log, web.manifest);
  });

  it('accounts for every discovered URL', () => {
    const { discovered, fetched, redirected, failed, skipped, queued } = summary;
    expect(fetched + redirected + failed + skipped + queued).toBe(discovered);
  });
});
