/** One measured crawl: servers, web and workers of its own, each in its own process. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Client } from '@temporalio/client';
import { provisionRedis, provisionTemporal } from '../../src/servers/provision.js';
import { startRedis } from '../../src/servers/redis-server.js';
import { startTemporal } from '../../src/servers/temporal-server.js';
import { waitFor } from '../../test/support/chaos.js';
import { connectCrawlStarter, startWorkerProcess } from '../../test/support/e2e/engine.js';
import type { RequestRecord } from '../../test/support/synthetic-web/request-log.js';
import { startSyntheticWeb } from '../../test/support/synthetic-web/start.js';
import type { BaselineFigures, BaselineRequests } from './baseline-main.js';
import { readProcessUse, type ProcessUse } from './process-use.js';

/** Size of the web that is crawled. */
export interface Shape {
  readonly hosts: number;
  readonly pages: number;
}

/** What one process used during the crawl. */
export interface Use extends ProcessUse {
  readonly name: string;
}

/** What a crawl took. */
export interface Figures {
  readonly shape: Shape;
  /** Pages stored. */
  readonly pages: number;
  readonly requests: number;
  readonly durationMs: number;
  /** Of all workflows of the crawl, continued ones too. */
  readonly historyEvents: number;
  readonly uses: readonly Use[];
  readonly baseline: BaselineFigures;
}

const report = (line: string): void => console.error(line);

/** Crawl a synthetic web of plain pages, then ask for the same in a bare loop (without a delay). */
export async function crawlOnce(shape: Shape, delayMs: number): Promise<Figures> {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  const ends: (() => Promise<unknown>)[] = [];
  try {
    const [redisExecutable, temporalExecutable] = await Promise.all([
      provisionRedis({ report }),
      provisionTemporal({ report }),
    ]);
    const redis = await startRedis({ executable: redisExecutable, dir: join(dir, 'redis') });
    ends.push(() => redis.stop());
    const dbFile = join(dir, 'temporal', 'temporal.db');
    const temporal = await startTemporal({ executable: temporalExecutable, dbFile });
    ends.push(() => temporal.stop());
    const { hosts, pages } = shape;
    const web = await startSyntheticWeb({ hosts, pagesPerHost: pages, features: 'none' });
    ends.push(() => web.stop());
    const { address: temporalAddress } = temporal;
    const engine = { temporalAddress, redisUrl: redis.url, taskQueue: 'bench' };
    const worker = await startWorkerProcess(engine);
    ends.push(() => worker.stop());
    const starter = await connectCrawlStarter(engine);
    ends.push(() => starter.close());

    const pids = {
      workers: worker.pid,
      Temporal: temporal.pid,
      Redis: redis.pid,
      'the web itself': web.pid,
    };
    const before = readAll(pids);
    const crawl = await starter.start({
      crawlId: 'bench',
      seeds: [web.seedUrl],
      options: {
        scope: 'any',
        delayMs,
        allowPrivate: true,
        mapHosts: [web.mapHosts],
        out: join(dir, 'out'),
      },
    });
    const result = await crawl.result();
    const after = readAll(pids);
    if (result.totals.fetched !== web.manifest.pages.length) {
      throw new Error(`fetched ${result.totals.fetched} of ${web.manifest.pages.length} pages`);
    }
    const log = await web.log();
    return {
      shape,
      pages: result.totals.fetched,
      requests: log.length,
      durationMs: result.durationMs,
      historyEvents: await countEvents(starter.client, hosts + 1),
      uses: after.map((use, at) => ({
        ...use,
        cpuSeconds: use.cpuSeconds - before[at]!.cpuSeconds,
      })),
      baseline: await runBaseline(join(dir, 'requests.json'), web.port, log),
    };
  } finally {
    for (const end of ends.reverse()) await end();
    rmSync(dir, { recursive: true, force: true });
  }
}

function readAll(pids: Readonly<Record<string, number>>): Use[] {
  return Object.entries(pids).map(([name, pid]) => ({ name, ...readProcessUse(pid) }));
}

/** Visibility follows a little later, and hosts that linger still add events. */
async function countEvents(client: Client, workflows: number): Promise<number> {
  return waitFor(
    async () => {
      let events = 0;
      let closed = 0;
      for await (const run of client.workflow.list({ query: 'CrawlId = "bench"' })) {
        events += run.historyLength;
        if (run.status.name !== 'RUNNING') closed += 1;
      }
      return closed >= workflows && events;
    },
    { what: 'all workflows of the crawl close', timeoutMs: 60_000, everyMs: 250 },
  );
}

async function runBaseline(
  file: string,
  port: number,
  log: readonly RequestRecord[],
): Promise<BaselineFigures> {
  const hosts: Record<string, string[]> = {};
  for (const { host, path } of log) (hosts[host] ??= []).push(path);
  writeFileSync(file, JSON.stringify({ port, hosts } satisfies BaselineRequests));
  const entry = fileURLToPath(new URL('./baseline-main.ts', import.meta.url));
  const args = ['--import', 'tsx', entry, file];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as BaselineFigures;
}
