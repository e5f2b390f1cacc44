import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrawlChange } from '../../../src/contracts/activities.js';
import { newDomain } from '../workflows/web.js';
import { attemptOf, runActivity, startBench, type Bench } from './bench.js';

describe('activities of the parent', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await startBench();
  });
  afterAll(() => bench.close());
  const owner = () => `${String(Date.now())}:parent`;

  const openTwice = async () => {
    const url = bench.web.host(newDomain(), { '/': 'x' });
    const crawl = await bench.open([url]);
    return { crawl, url };
  };

  it('opening again under the same request changes nothing, under another one is refused', async () => {
    const { crawl, url } = await openTwice();
    const input = { crawlId: crawl.crawlId, seeds: [url], options: {} };
    await runActivity(attemptOf(2), bench.parent.openCrawl, { ...input, requestId: 'open' });
    expect((await crawl.frontier.status()).totals).toMatchObject({ discovered: 1, outstanding: 1 });
    await expect(
      runActivity(attemptOf(), bench.parent.openCrawl, { ...input, requestId: 'other' }),
    ).rejects.toMatchObject({ type: 'FRONTIER_CRAWL_EXISTS', nonRetryable: true });
  });

  it('seeds are refused one by one, with the reason', async () => {
    const { crawl, url } = await openTwice();
    const seeds = [url, 'ftp://x.test/', `${url}new#part`, `${url}new`, 'no url'];
    const input = { crawlId: crawl.crawlId, seeds };
    const reply = await runActivity(attemptOf(), bench.parent.addSeeds, input);
    expect(reply.added).toBe(1);
    expect(reply.refusedSeeds.map(({ seed }) => seed)).toEqual(['ftp://x.test/', 'no url']);
    expect(reply.refusedSeeds[0]!.reason).toMatch(/https:\/\//);
  });

  it('seeds that were announced are missed until the last of them are there', async () => {
    const crawlId = newDomain();
    const input = { crawlId, seeds: [`http://${newDomain()}/`], options: {}, moreSeeds: true };
    await runActivity(attemptOf(), bench.parent.openCrawl, { ...input, requestId: 'open' });
    const { frontier } = bench.composed.deps.crawl(crawlId);
    const isMissing = async () => (await frontier.status()).isMissingSeeds;
    expect(await isMissing()).toBe(true);
    const add = (moreSeeds?: boolean) => {
      const seeds = [`http://${newDomain()}/`];
      const piece = { crawlId, seeds, ...(moreSeeds !== undefined && { moreSeeds }) };
      return runActivity(attemptOf(), bench.parent.addSeeds, piece);
    };
    await add(true);
    // Somebody else's: it is none of those.
    await add();
    expect(await isMissing()).toBe(true);
    await add(false);
    expect(await isMissing()).toBe(false);
  });

  it('the poll for hosts names the same ones to a repeated request', async () => {
    const { crawl } = await openTwice();
    const { crawlId } = crawl;
    const seeds = [`http://${newDomain()}/`, `http://${newDomain()}/`];
    await runActivity(attemptOf(), bench.parent.addSeeds, { crawlId, seeds });
    const request = { crawlId, owner: owner(), requestId: 'again', version: 0 };
    const first = await runActivity(attemptOf(), bench.parent.nextHosts, request);
    expect(first.hosts.map(({ why }) => why)).toEqual(['pending', 'pending']);
    const second = await runActivity(attemptOf(2), bench.parent.nextHosts, request);
    expect(second.hosts).toEqual(first.hosts);
  });

  it('the poll waits, beating, until there is news', async () => {
    const { crawl } = await openTwice();
    const { crawlId, frontier } = crawl;
    const { version } = await frontier.status();
    const env = attemptOf(1, 100);
    const heard = new Promise((resolve) => env.on('heartbeat', resolve));
    const request = { crawlId, owner: owner(), requestId: 'wait', version };
    const poll = runActivity(env, bench.parent.nextHosts, request);
    await heard;
    await runActivity(attemptOf(), bench.parent.changeCrawl, { crawlId, state: 'paused' });
    expect(await poll).toMatchObject({ state: 'paused', hosts: [], isDone: false });
  });

  it('a cancelled poll ends at once', async () => {
    const { crawl } = await openTwice();
    const { version } = await crawl.frontier.status();
    const env = attemptOf();
    const { crawlId } = crawl;
    const request = { crawlId, owner: owner(), requestId: 'cancelled', version };
    const poll = runActivity(env, bench.parent.nextHosts, request);
    env.cancel();
    await expect(poll).rejects.toThrow(/CANCELLED/i);
  });

  it('a released host has its lease back in the queue and is overdue soon', async () => {
    const domain = newDomain();
    const crawl = await bench.open([bench.web.host(domain, { '/': 'x' })]);
    const { crawlId, frontier } = crawl;
    const run = { crawlId, hostKey: domain, owner: `${String(Date.now())}:run`, nextUrl: null };
    const claim = { hostKey: domain, owner: run.owner, turn: 1, attempt: 1 };
    expect(await frontier.completeAndLease({ claim })).toMatchObject({ status: 'lease' });
    await runActivity(attemptOf(), bench.parent.releaseHost, { ...run, turn: 2 });
    expect((await frontier.status()).totals).toMatchObject({ leased: 0, outstanding: 1 });
    const { version } = await frontier.status();
    const request = { crawlId, owner: owner(), requestId: 'sweep', version };
    const next = await runActivity(attemptOf(), bench.parent.nextHosts, request);
    expect(next.hosts).toEqual([{ hostKey: domain, why: 'overdue' }]);
  });

  it('a change that its crawl does not allow is refused with both states', async () => {
    const { crawl } = await openTwice();
    const { crawlId } = crawl;
    const change = (changes: Partial<CrawlChange>) =>
      runActivity(attemptOf(), bench.parent.changeCrawl, { crawlId, ...changes });
    await change({ state: 'stopping', finishReason: 'stopped' });
    await expect(change({ state: 'running', from: ['paused'] })).rejects.toMatchObject({
      ...{ type: 'FRONTIER_CRAWL_STATE', details: [{ state: 'stopping', target: 'running' }] },
    });
    expect((await crawl.frontier.status()).state).toBe('stopping');
  });
});
