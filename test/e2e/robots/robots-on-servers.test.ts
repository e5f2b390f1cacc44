/**
 * robots.txt as servers really answer it: the hosts of all cases crawled at once by the real engine,
 * judged by what the hosts saw and what the records say.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { RobotsStore } from '../../../src/frontier/robots-store.js';
import { exportRecords } from '../../../src/output/export.js';
import { connectRedis } from '../../../src/redis/connection.js';
import { startWorkers, type RunningWorkers } from '../../../src/workers/start-workers.js';
import type { CrawlResult } from '../../../src/contracts/crawl.js';
import type { PageRecord } from '../../../src/contracts/urls.js';
import { waitFor } from '../../support/chaos.js';
import { connectCrawlStarter, type CrawlStarter, type Engine } from '../../support/e2e/engine.js';
import { faultsOf } from '../../support/robots-web/judge.js';
import type { RobotsHttpCase } from '../../support/robots-web/robots-case.js';
import { FIRST_VISIT, startRobotsWeb, type RobotsWeb } from '../../support/robots-web/start.js';
import { loadVectors } from '../../vectors/load.js';
import {
  allSharedCases,
  hasSharedCases,
  sharedName,
  type SharedCase,
} from '../../vectors/shared-cases.js';
import '../../integration/workflows/quiet.js';

type AnyCase = RobotsHttpCase & { readonly type: string; readonly level: SharedCase['level'] };

const isHttp = ({ type }: { readonly type: string }): boolean => type === 'http';
const own = loadVectors<AnyCase>('robots').filter(isHttp);
// Those that the sources disagree on are among them: docs/robots.md says what we do.
const shared = hasSharedCases ? allSharedCases<AnyCase>('robots').filter(isHttp) : [];

const crawlId = `robots-${randomUUID().slice(0, 8)}`;
const out = mkdtempSync(join(tmpdir(), 'orbweaver-robots-'));
let native: NativeConnection;
let workers: RunningWorkers;
let starter: CrawlStarter;
let web: RobotsWeb;
let result: CrawlResult;
const records = new Map<string, PageRecord>();

/** Time passes for the rules of these origins: as if a day had gone by since they were read. */
async function expire(redisUrl: string, origins: readonly string[]): Promise<void> {
  const redis = connectRedis(redisUrl);
  try {
    const store = new RobotsStore(redis, crawlId);
    for (const origin of origins) {
      const rules = await store.read(origin);
      if (rules === null) throw new Error(`no rules of ${origin} are kept`);
      await store.write(origin, { ...rules, expiresAtMs: Date.now() });
    }
  } finally {
    redis.disconnect();
  }
}

describe('F2: robots.txt on real servers (RFC 9309 §2.3, §2.4)', () => {
  beforeAll(async () => {
    const redisUrl = inject('redisUrl');
    const engine: Engine = {
      temporalAddress: inject('temporalAddress'),
      redisUrl,
      taskQueue: `robots-${crawlId}`,
    };
    native = await NativeConnection.connect({ address: engine.temporalAddress });
    [web, starter, workers] = await Promise.all([
      startRobotsWeb([...own, ...shared]),
      connectCrawlStarter(engine),
      startWorkers({
        ...{ connection: native, namespace: 'default', redisUrl, taskQueue: engine.taskQueue },
        ...{ roles: ['workflow', 'fetch'], shutdownGraceMs: 2000 },
      }),
    ]);
    const crawl = await starter.start({
      crawlId,
      seeds: web.seeds,
      tuning: { lingerMs: 500 },
      options: {
        ...{ scope: 'any', delayMs: 0, allowPrivate: true, dedupe: 'exact', out },
        // A turn is one request, so that rules that expire show at the next page.
        turn: { maxPages: 1, maxPerSecond: 1000 },
        ...{ hostPatience: '20s', headersTimeout: '2s' },
      },
    });
    const visited = () => web.requests.filter(({ path }) => path === FIRST_VISIT);
    await waitFor(() => new Set(visited().map((one) => one.case)).size === web.expiring.length, {
      what: 'the first page of every host whose rules expire is asked for',
    });
    await expire(redisUrl, web.expiring);
    web.release();
    result = await crawl.result();
    for await (const record of exportRecords({ dir: join(out, crawlId), select: 'all' })) {
      records.set(record.url, record);
    }
  }, 110_000);

  afterAll(async () => {
    await Promise.all([workers?.shutdown(), web?.stop(), starter?.close()]);
    await native?.close();
    rmSync(out, { recursive: true, force: true });
  });

  const failing = (cases: readonly AnyCase[]) =>
    cases.flatMap((each) =>
      faultsOf(each, { web, records }).map((fault) => `${each.name}: ${fault}`),
    );

  it('the crawl ends by itself with every URL accounted for', () => {
    expect(result).toMatchObject({
      state: 'finished',
      finishReason: 'completed',
      refusedSeeds: [],
    });
    expect(result.totals.outstanding).toBe(0);
  });

  it('every own case goes as expected', () => {
    expect(failing(own)).toEqual([]);
  });

  it.skipIf(!hasSharedCases)(sharedName('every public case goes as expected'), () => {
    expect(failing(shared)).toEqual([]);
  });

  it('no connection to an endless file is left open', () => {
    const endless = new Set(
      [...own, ...shared]
        .filter(({ server }) => JSON.stringify(server).includes('"repeat":-1'))
        .map(({ name }) => name),
    );
    expect(endless.size).toBeGreaterThan(0);
    expect(web.openConnections().filter((name) => endless.has(name))).toEqual([]);
  });
});
