/** Crawls of the played web by the whole engine: real workers, Temporal and Redis. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NativeConnection, Worker } from '@temporalio/worker';
import { inject } from 'vitest';
import { createFetchActivities } from '../../../src/activities/fetch-activities.js';
import type { CrawlResult } from '../../../src/contracts/crawl.js';
import { fetchQueue } from '../../../src/contracts/task-queues.js';
import type { PageRecord } from '../../../src/contracts/urls.js';
import { createFetcher } from '../../../src/fetch/fetcher.js';
import { createResolver } from '../../../src/fetch/resolve-host.js';
import { exportRecords } from '../../../src/output/export.js';
import { compose } from '../../../src/workers/compose.js';
import { startWorkers } from '../../../src/workers/start-workers.js';
import { connectCrawlStarter } from '../../support/e2e/engine.js';
import type { PlayedWeb } from '../../support/http-behaviours/start.js';
import '../../integration/workflows/quiet.js';

/** What came of one crawl. */
export interface PlayedCrawl {
  readonly result: CrawlResult;
  /** The last record of each URL. */
  readonly records: ReadonlyMap<string, PageRecord>;
}

/** Limits that a behaviour which never ends is cut by. */
const OPTIONS = {
  scope: 'domain',
  delayMs: 0,
  dedupe: 'exact',
  connectTimeout: '4s',
  headersTimeout: '5s',
  bodyTimeout: '4s',
  totalTimeout: '12s',
  retries: 1,
  hostPatience: '5s',
  perHostLimit: 40,
  userAgent: 'PlayedBot/1.0 (test@example.org)',
};

/** A fetch worker that asks the played name server and trusts the played authority. */
async function startFetchWorker(
  web: PlayedWeb,
  connection: NativeConnection,
  taskQueue: string,
): Promise<() => Promise<void>> {
  const composed = compose({ redisUrl: inject('redisUrl') });
  const fetcher = createFetcher({
    resolve: createResolver([web.nameServer.address]),
    extraCa: web.authority,
  });
  const worker = await Worker.create({
    connection,
    taskQueue: fetchQueue(taskQueue),
    activities: createFetchActivities({ ...composed.deps, fetcher }),
    shutdownGraceTime: 2000,
  });
  const done = worker.run();
  return async () => {
    worker.shutdown();
    await done;
    await fetcher.close();
    await composed.close();
  };
}

/** Crawl these seeds; the crawls run at the same time. */
export async function crawlPlayedWeb(
  web: PlayedWeb,
  crawls: Readonly<Record<string, { readonly seeds: readonly string[]; readonly options: object }>>,
): Promise<Record<string, PlayedCrawl>> {
  const temporalAddress = inject('temporalAddress');
  const redisUrl = inject('redisUrl');
  const taskQueue = `http-behaviours-${randomUUID()}`;
  const out = mkdtempSync(join(tmpdir(), 'orbweaver-played-'));
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const common = { connection, namespace: 'default', redisUrl, taskQueue };
  const [workflows, starter, stopFetching] = await Promise.all([
    startWorkers({ ...common, roles: ['workflow'], shutdownGraceMs: 2000 }),
    connectCrawlStarter({ temporalAddress, redisUrl, taskQueue }),
    startFetchWorker(web, connection, taskQueue),
  ]);
  try {
    const crawled = Object.entries(crawls).map(async ([name, { seeds, options }]) => {
      const crawlId = `${name}-${randomUUID().slice(0, 13)}`;
      const crawl = await starter.start({
        crawlId,
        seeds,
        options: { ...OPTIONS, mapHosts: web.mapHosts, out, ...options },
        tuning: { lingerMs: 500 },
      });
      const result = await crawl.result();
      const records = new Map<string, PageRecord>();
      for await (const record of exportRecords({ dir: join(out, crawlId), select: 'all' })) {
        records.set(record.url, record);
      }
      return [name, { result, records }] as const;
    });
    return Object.fromEntries(await Promise.all(crawled));
  } finally {
    await Promise.all([workflows.shutdown(), stopFetching()]);
    await Promise.all([connection.close(), starter.close()]);
    rmSync(out, { recursive: true, force: true });
  }
}
