/** One clock for a host over several processes: seen from the wire (F1, F2). */
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { connectRedis } from '../../../src/redis/connection.js';
import type { GateRequest } from '../../support/frontier/gate-asker.js';
import { allResults, startProcess } from '../../support/frontier/processes.js';

const redisUrl = inject('redisUrl');
const redis = connectRedis(redisUrl);
afterAll(() => redis.quit());

interface Crawl {
  readonly crawlId: string;
  readonly delayMs: number;
}

/** All crawls ask for one host at once until each has made so many requests. */
async function race(crawls: readonly Crawl[], least: number): Promise<GateRequest[][]> {
  const hostKey = `${randomUUID()}.example.com`;
  const until = `test:stop:${hostKey}`;
  const processes = crawls.map((crawl) =>
    startProcess<GateRequest[]>({
      ...crawl,
      ...{ role: 'gate', redisUrl, hostKey, until, requestMs: 3, requests: 10_000 },
    }),
  );
  await Promise.all(processes.map((process) => process.said(least)));
  await redis.set(until, '1', 'EX', 60);
  return allResults(processes);
}

/** Gaps between requests that follow each other, and the delay that the later one had to keep. */
function gapsOf(requests: readonly GateRequest[]): { gapMs: number; delayMs: number }[] {
  const inOrder = [...requests].sort((a, b) => a.startMs - b.startMs);
  return inOrder.slice(1).map((request, n) => ({
    gapMs: request.startMs - inOrder[n]!.endMs,
    delayMs: request.delayMs,
  }));
}

/** Share of each crawl in the requests that were made while all of them had work. */
function sharesOf(byCrawl: readonly (readonly GateRequest[])[]): number[] {
  const from = Math.max(...byCrawl.map((requests) => requests[0]!.startMs));
  const to = Math.min(...byCrawl.map((requests) => requests.at(-1)!.endMs));
  const counts = byCrawl.map(
    (requests) => requests.filter(({ startMs, endMs }) => startMs >= from && endMs <= to).length,
  );
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => count / all);
}

describe('one clock for a host over several processes (F1, F2)', () => {
  it.each([
    ['no delay', [0, 0], 40],
    ['the same delay', [50, 50], 20],
    ['one with a delay, one without', [0, 50], 20],
    ['different delays', [20, 80], 15],
    ['three crawls', [0, 20, 40], 15],
  ] as const)(
    '%s: never two requests at once, the full delay of each, equal shares',
    async (_name, delays, least) => {
      const crawls = delays.map((delayMs, n) => ({ crawlId: `crawl${n}`, delayMs }));
      const byCrawl = await race(crawls, least);
      const gaps = gapsOf(byCrawl.flat());
      expect(gaps.length).toBeGreaterThan(least);
      expect(gaps.filter(({ gapMs, delayMs }) => gapMs < delayMs)).toEqual([]);
      for (const share of sharesOf(byCrawl)) {
        expect(share * delays.length).toBeGreaterThanOrEqual(0.8);
        expect(share * delays.length).toBeLessThanOrEqual(1.2);
      }
    },
  );

  it('one crawl, four processes: never two requests at once, the full delay', async () => {
    const crawls = [1, 2, 3, 4].map(() => ({ crawlId: 'crawl', delayMs: 20 }));
    const gaps = gapsOf((await race(crawls, 5)).flat());
    expect(gaps.filter(({ gapMs, delayMs }) => gapMs < delayMs)).toEqual([]);
  });

  it('a killed holder costs its host no early request', async () => {
    const hostKey = `${randomUUID()}.example.com`;
    const shared = { role: 'gate', redisUrl, hostKey, delayMs: 300, holdMs: 1000 } as const;
    const victim = startProcess<GateRequest[]>({
      ...{ ...shared, crawlId: 'victim', requestMs: 60_000, requests: 1 },
    });
    await victim.said(1);
    const killedAtMs = Number(process.hrtime.bigint()) / 1e6;
    await victim.kill();
    const [made] = await allResults([
      startProcess<GateRequest[]>({ ...shared, crawlId: 'heir', requestMs: 1, requests: 1 }),
    ]);
    // Its hold began before it said so, and ended a second later; then the heir's delay.
    expect(made![0]!.startMs - killedAtMs).toBeGreaterThanOrEqual(300);
    expect(made).toHaveLength(1);
  });
});
