import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/chaos.js';
import { eventsOf, failedTasks, runsOfCrawl } from './histories.js';
import { startRig, type Crawl, type Rig } from './rig.js';
import { newDomain } from './web.js';

describe('how a crawl begins and ends', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.close());

  it.concurrent('seeds that are added as the crawl ends are crawled', async () => {
    const domain = newDomain();
    const seeds = Array.from({ length: 12 }, (_unused, n) => `http://h${n}.${domain}/`);
    for (const seed of seeds) rig.web.host(new URL(seed).hostname, { '/': 'x' });
    const crawl = await rig.crawl({ seeds: [seeds[0]!] });
    let accepted = 1;
    for (const seed of seeds.slice(1)) {
      // Each comes when nothing is outstanding, at whatever point of its ending the parent is.
      await waitFor(async () => (await crawl.frontier.status()).totals.outstanding === 0, {
        what: 'nothing is outstanding',
        everyMs: 1,
      });
      try {
        await crawl.handle.executeUpdate('addSeeds', { args: [{ seeds: [seed] }] });
        accepted += 1;
      } catch {
        break; // The crawl was over: refused aloud.
      }
    }
    const result = await crawl.result();
    expect(accepted).toBeGreaterThan(1);
    expect(result).toMatchObject({ state: 'finished', totals: { outstanding: 0 } });
    expect(result.totals.fetched).toBeGreaterThanOrEqual(accepted);
    expect((await crawl.frontier.status()).state).toBe('finished');
  });

  it.concurrent('a crawl that none of its seeds can start fails and names each', async () => {
    const crawl = await rig.crawl({ seeds: ['ftp://x.test/', 'nonsense'] });
    await expect(crawl.result()).rejects.toMatchObject({
      cause: {
        cause: { type: 'CONFIG_INVALID_OPTION', message: /none of 2.*ftp:.*nonsense/ },
      } as object,
    });
    const wrong = await rig.crawl({ seeds: ['http://x.test/'], options: { delay: 3 } });
    await expect(wrong.result()).rejects.toMatchObject({
      cause: { cause: { type: 'CONFIG_UNKNOWN_OPTION' } },
    });
  });

  /** A crawl with one host that has nothing to do and one whose page is under way. */
  async function idleAndBusy() {
    const domain = newDomain();
    const [idle, busy] = [`idle.${domain}`, `busy.${domain}`];
    let answer = (_page: string): void => {};
    const held = new Promise<string>((resolve) => (answer = resolve));
    rig.web.host(idle, { '/': 'x' });
    rig.web.host(busy, { '/': () => held });
    const seeds = [`http://${idle}/`, `http://${busy}/`];
    const tuning = { lingerMs: 30_000, heartbeatMs: 1000 };
    const crawl = await rig.crawl({ seeds, tuning });
    await waitFor(async () => (await crawl.hostProgress(idle)).state === 'idle', {
      what: 'one host has nothing to do',
    });
    await waitFor(() => rig.web.requests(busy).length === 2, { what: 'the page is asked for' });
    return { crawl, idle, busy, answer };
  }
  const statesWhenClosed = (crawl: Crawl) =>
    waitFor(
      async () => {
        const runs = await runsOfCrawl(rig.client, crawl.crawlId);
        const states = runs.map((run) => run.split(' ')[1]!);
        return states.includes('RUNNING') ? null : states;
      },
      { what: 'no workflow of the crawl runs any more' },
    );

  it.concurrent(
    'no host outlives its crawl, not one that was paused without work either',
    async () => {
      const { crawl, idle, answer } = await idleAndBusy();
      await crawl.command({ kind: 'pause' });
      await waitFor(async () => (await crawl.hostProgress(idle)).state === 'paused', {
        what: 'the idle host is paused',
      });
      await crawl.command({ kind: 'unpause' });
      answer('at last');
      expect(await crawl.result()).toMatchObject({
        finishReason: 'completed',
        totals: { fetched: 2 },
      });
      expect(await statesWhenClosed(crawl)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
    },
  );

  it.concurrent('a paused crawl that is cancelled leaves no host behind', async () => {
    const { crawl, idle, answer } = await idleAndBusy();
    await crawl.command({ kind: 'pause' });
    await waitFor(async () => (await crawl.hostProgress(idle)).state === 'paused', {
      what: 'the idle host is paused',
    });
    await crawl.handle.cancel();
    await expect(crawl.result()).rejects.toThrow(/cancel/i);
    expect(await statesWhenClosed(crawl)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
    answer('too late');
  });

  it.concurrent(
    'commands under way when the crawl is cancelled are refused and break nothing',
    async () => {
      const { crawl, answer } = await idleAndBusy();
      const commands = Array.from({ length: 5 }, (_unused, n) =>
        crawl.command({ kind: 'adjust', options: { retries: n } }).then(
          () => 'carried out',
          () => 'refused',
        ),
      );
      await crawl.handle.cancel();
      await expect(crawl.result()).rejects.toThrow(/cancel/i);
      for (const end of await Promise.all(commands)) expect(end).toMatch(/^(carried out|refused)$/);
      expect(failedTasks(await eventsOf(crawl.handle))).toEqual([]);
      expect((await crawl.frontier.status()).state).toBe('cancelled');
      answer('too late');
      await statesWhenClosed(crawl);
    },
  );
});
