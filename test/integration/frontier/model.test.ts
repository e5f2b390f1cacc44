/** Random sequences of operations: the frontier's keys stay sound after each, and no URL is lost. */
import fc from 'fast-check';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { connectRedis } from '../../../src/redis/connection.js';
import { auditFrontier } from '../../support/frontier/audit.js';
import { openCrawl } from '../../support/frontier/drive.js';
import { anyOperation, CrawlModel } from '../../support/frontier/model.js';

const redis = connectRedis(inject('redisUrl'));
afterAll(() => redis.quit());

const RUNS = 300;
const LONGEST = 60;

describe('any sequence of operations (F1, F4, F5)', () => {
  it('keeps the totals’ equations, forgets no host and completes every URL once', async () => {
    const backEnd = {
      dedupe: 'exact',
      make: (crawlId: string) => new RedisFrontier(redis, crawlId),
    } as const;
    const operations = fc.array(anyOperation, { maxLength: LONGEST, size: 'max' });
    await fc.assert(
      fc.asyncProperty(operations, async (sequence) => {
        const frontier = await openCrawl(backEnd, { concurrency: 2 });
        const model = new CrawlModel(frontier);
        for (const operation of sequence) {
          await model.apply(operation);
          expect(await auditFrontier(redis, frontier.crawlId), operation.kind).toEqual([]);
        }
        expect(await model.finishAll()).toBe(true);
        expect(await auditFrontier(redis, frontier.crawlId)).toEqual([]);
        const { totals } = await frontier.status();
        expect(totals).toMatchObject({ outstanding: 0, held: 0, leased: 0 });
        const open = [...model.urls].filter(([, state]) => state === 'open');
        expect(open).toEqual([]);
        await frontier.delete();
      }),
      { numRuns: RUNS, endOnFailure: false },
    );
  }, 120_000);
});
