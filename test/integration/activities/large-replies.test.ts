/** What strangers write is long, and lists grow: replies of activities stay within one message. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFrontierActivities } from '../../../src/activities/frontier-activities.js';
import type { ReadReply, ReadRequest } from '../../../src/contracts/activities.js';
import type { Frontier } from '../../../src/contracts/frontier.js';
import { discovered } from '../../support/frontier/builders.js';
import { HostRun, leasedUrl } from '../../support/frontier/drive.js';
import { newDomain } from '../workflows/web.js';
import { attemptOf, runActivity, startBench, type Bench } from './bench.js';

/** Temporal's server refuses larger payloads, however often they are sent. */
const MOST_BYTES = 2 * 1024 * 1024;
const LETTERS = 150;

describe('replies of activities', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await startBench();
  });
  afterAll(() => bench.close());

  /** All of a host's URLs are leased once and given up. */
  async function giveUpAll(frontier: Frontier, run: HostRun): Promise<number> {
    let count = 0;
    let reply = await run.lease();
    for (; reply.status === 'lease'; count += 1) {
      reply = await run.complete(leasedUrl(reply), 'failed', { deadLetter: true });
    }
    expect((await frontier.status()).totals.deadLetters).toBeGreaterThanOrEqual(count);
    return count;
  }

  async function crawlWithLetters(paths: readonly string[]) {
    const host = newDomain();
    const { crawlId, frontier } = await bench.open([`http://${host}/`]);
    const via = `https://${host}/${'v'.repeat(10_000)}`;
    await frontier.addUrls(paths.map((path) => discovered(host, path, { via })));
    const run = new HostRun(frontier, host);
    expect(await giveUpAll(frontier, run)).toBe(paths.length + 1);
    return { crawlId, frontier, run };
  }

  it('hold as many dead letters as fit, and all of them come in pages', async () => {
    const paths = Array.from({ length: LETTERS }, (_unused, n) => `${n}-${'x'.repeat(10_000)}`);
    const { crawlId } = await crawlWithLetters(paths);
    const letters: string[] = [];
    for (;;) {
      const request: ReadRequest = {
        ...{ kind: 'deadLetters', crawlId, offset: letters.length, limit: 10_000 },
      };
      const reply = await runActivity<ReadRequest, ReadReply>(
        attemptOf(),
        bench.parent.readCrawl,
        request,
      );
      expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(MOST_BYTES);
      if (reply.kind !== 'deadLetters' || reply.letters.length === 0) break;
      letters.push(...reply.letters.map(({ url }) => url));
    }
    expect(new Set(letters).size).toBe(LETTERS + 1);
    expect(letters).toHaveLength(LETTERS + 1);
  });

  it('name refused seeds as far as they fit, and count the rest', async () => {
    const { crawlId } = await bench.open([`http://${newDomain()}/`]);
    const seeds = ['y'.repeat(1_500_000), ...Array.from({ length: 50_000 }, (_u, n) => `no ${n}`)];
    const reply = await runActivity(attemptOf(), bench.parent.addSeeds, { crawlId, seeds });
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(MOST_BYTES);
    const { refusedSeeds } = reply;
    expect(refusedSeeds[1]).toMatchObject({ seed: 'no 0' });
    expect(refusedSeeds.at(-1)!.seed).toBe(`(${seeds.length - refusedSeeds.length + 1} more)`);
  });

  it('come though dead letters that are requeued are given up again at once', async () => {
    const { crawlId, frontier, run } = await crawlWithLetters(['a', 'b']);
    let calls = 0;
    const hopeless = new Proxy(frontier, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (name !== 'requeueDeadLetters') return value.bind(target) as unknown;
        return async (limit: number) => {
          calls += 1;
          const requeued = await target.requeueDeadLetters(limit);
          await giveUpAll(target, run);
          return requeued;
        };
      },
    });
    const crawl = (id: string) => ({ ...bench.composed.deps.crawl(id), frontier: hopeless });
    const { changeCrawl } = createFrontierActivities({ ...bench.composed.deps, crawl });
    await runActivity(attemptOf(), changeCrawl, { crawlId, requeueDeadLetters: true });
    expect(calls).toBe(1);
    expect((await frontier.status()).totals.deadLetters).toBe(3);
  });
});
