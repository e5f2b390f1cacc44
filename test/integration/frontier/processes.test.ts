/** Several processes at once on one frontier (Q3, F1, F4). */
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { RedisFrontier, type FrontierTimes } from '../../../src/frontier/redis-frontier.js';
import { connectRedis } from '../../../src/redis/connection.js';
import { auditFrontier } from '../../support/frontier/audit.js';
import { crawlSettings, newCrawlId } from '../../support/frontier/builders.js';
import { until } from '../../support/frontier/drive.js';
import type { AddResult, WorkInput, WorkResult } from '../../support/frontier/frontier-process.js';
import { allResults, startProcess } from '../../support/frontier/processes.js';

const redisUrl = inject('redisUrl');
const redis = connectRedis(redisUrl);
afterAll(() => redis.quit());

const PATIENT: FrontierTimes = { leaseMs: 600_000, nominatedMs: 600_000 };

async function newCrawl(dedupe: 'exact' | 'bloom'): Promise<RedisFrontier> {
  const frontier = new RedisFrontier(redis, newCrawlId('processes'));
  const settings = crawlSettings({ dedupe, concurrency: 100_000, maxHostsPerDomain: 100_000 });
  await frontier.create({ settings, seeds: [] }, randomUUID());
  return frontier;
}

const startAdder = (crawlId: string, from: number, to: number, hosts: number) =>
  startProcess<AddResult>({ role: 'add', redisUrl, crawlId, from, to, hosts });

function startWorker(crawlId: string, total: number, changes: Partial<WorkInput> = {}) {
  const startMs = Date.now() - 60_000;
  return startProcess<WorkResult>({
    ...{ role: 'work', redisUrl, crawlId, times: PATIENT, startMs, slots: 200, total, says: false },
    ...changes,
  });
}

/** How often each URL was leased, over all workers. */
function sumOfLeases(results: readonly WorkResult[], total: number): Uint32Array {
  const sums = new Uint32Array(total);
  for (const { counts } of results) {
    Buffer.from(counts, 'base64').forEach((count, n) => {
      sums[n]! += count;
    });
  }
  return sums;
}

const histogram = (counts: Uint32Array): Record<number, number> => {
  const found: Record<number, number> = {};
  for (const count of counts) found[count] = (found[count] ?? 0) + 1;
  return found;
};

describe('several processes at once (Q3, F1)', () => {
  it.each(['exact', 'bloom'] as const)(
    'find a URL new exactly once, dedupe %s (Q3 (3))',
    async (dedupe) => {
      const frontier = await newCrawl(dedupe);
      const adders = [1, 2, 3, 4].map(() => startAdder(frontier.crawlId, 0, 6000, 30));
      const results = await allResults(adders);
      expect(results.reduce((sum, { added }) => sum + added, 0)).toBe(6000);
      expect((await frontier.status()).totals).toMatchObject({ discovered: 6000, hosts: 30 });
      expect(await auditFrontier(redis, frontier.crawlId)).toEqual([]);
      await frontier.delete();
    },
  );

  it('redeliver what a killed process had claimed, and nothing else (Q3 (1), (2))', async () => {
    const total = 2000;
    const frontier = await newCrawl('exact');
    const times = { leaseMs: 1500, nominatedMs: 1500 };
    const [victim, ...others] = [1, 2, 3].map(() =>
      startWorker(frontier.crawlId, total, { times, slots: 8, fetchMs: 5, says: true }),
    );
    await Promise.all([victim!, ...others].map((worker) => worker.said(1)));
    const adder = startAdder(frontier.crawlId, 0, total, 40);
    await victim!.said(50);
    await victim!.kill();
    await allResults([adder]);
    const results = await allResults(others);
    const sums = sumOfLeases(results, total);
    for (const line of victim!.lines.slice(1)) sums[Number(line)]! += 1;
    const repeated = histogram(sums);
    expect(repeated[0] ?? 0).toBe(0);
    // At most one URL for each host that it worked on: those were never completed.
    expect(repeated[2] ?? 0).toBeLessThanOrEqual(8);
    expect(
      Object.keys(repeated)
        .map(Number)
        .filter((count) => count > 2),
    ).toEqual([]);
    const { totals } = await frontier.status();
    expect(totals).toMatchObject({ fetched: total, outstanding: 0, leased: 0 });
    expect(await auditFrontier(redis, frontier.crawlId)).toEqual([]);
    await frontier.delete();
  });

  it('lease each of 10⁶ URLs from 4 adders exactly once (F1, F4)', async () => {
    const total = 1_000_000;
    const frontier = await newCrawl('exact');
    // Each adder offers its quarter and a part of the next one's.
    const adders = [0, 1, 2, 3].map((n) => {
      const end = Math.min(total, (n + 1) * 250_000 + 10_000);
      return startAdder(frontier.crawlId, n * 250_000, end, 2000);
    });
    await until(async () => (await frontier.status()).totals.discovered > 100_000);
    const workers = [1, 2].map(() => startWorker(frontier.crawlId, total));
    const added = (await allResults(adders)).reduce((sum, result) => sum + result.added, 0);
    expect(added).toBe(total);
    const sums = sumOfLeases(await allResults(workers), total);
    expect(histogram(sums)).toEqual({ 1: total });
    const { totals } = await frontier.status();
    expect(totals).toMatchObject({ discovered: total, fetched: total, outstanding: 0, leased: 0 });
    await frontier.delete();
  }, 400_000);
});
