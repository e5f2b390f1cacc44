import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/chaos.js';
import { shardKeys } from '../../../src/frontier/keys.js';
import type { RunningWorkers } from '../../../src/workers/start-workers.js';
import { countOf, eventsOf } from './histories.js';
import { startRig, type Rig } from './rig.js';
import { newDomain } from './web.js';

describe('runs that are lost', () => {
  let rig: Rig;
  beforeAll(async () => {
    // The sweep acts after a second of silence instead of two minutes.
    rig = await startRig({ frontierTimes: { leaseMs: 1000, nominatedMs: 1000 } });
  });
  afterAll(() => rig.close());

  it.concurrent('a host terminated by hand is started again by the sweep (F6, Q6)', async () => {
    const domain = newDomain();
    let answer = (_page: string): void => {};
    const held = new Promise<string>((resolve) => (answer = resolve));
    const url = rig.web.host(domain, { '/': (_r, times) => (times === 1 ? held : 'again') });
    const crawl = await rig.crawl({ seeds: [url], tuning: { heartbeatMs: 2000 } });
    await waitFor(() => rig.web.requests(domain).length === 2, { what: 'the page is asked for' });
    await crawl.host(domain).terminate('by hand');
    const result = await crawl.result();
    expect(result).toMatchObject({ hostsStarted: 2, totals: { fetched: 1, outstanding: 0 } });
    answer('too late');
    expect((await crawl.records()).get(url)).toMatchObject({ outcome: 'fetched' });
  });

  it.concurrent('a host whose every run is terminated loses no URL', async () => {
    const domain = newDomain();
    // A turn of a terminated run may still take its 20 pages: three such turns leave work to do.
    const pages = Object.fromEntries(Array.from({ length: 100 }, (_u, n) => [`/p${n}`, 'p']));
    const url = rig.web.host(domain, { '/': Object.keys(pages), ...pages });
    const crawl = await rig.crawl({
      seeds: [url],
      options: { delayMs: 50, delayFactor: 0 },
      tuning: { heartbeatMs: 1000 },
    });
    for (let kills = 0; kills < 3; kills += 1) {
      const before = rig.web.requests(domain).length;
      await waitFor(() => rig.web.requests(domain).length > before + 3, { what: 'it fetches' });
      const { runId } = await crawl.host(domain).describe();
      await crawl.host(domain).terminate('by hand');
      await waitFor(
        async () => {
          const now = await crawl.host(domain).describe();
          return now.runId !== runId && now.status.name === 'RUNNING';
        },
        { what: 'it runs again' },
      );
    }
    const result = await crawl.result();
    expect(result.totals).toMatchObject({ fetched: 101, failed: 0, outstanding: 0, leased: 0 });
    expect(result.hostsStarted).toBe(4);
    // At most the page that was under way is asked for again.
    expect(rig.web.requests(domain).length).toBeLessThanOrEqual(1 + 101 + 3);
  });

  it.concurrent(
    'a parent that is terminated leaves its hosts running, and resume goes on',
    async () => {
      const domain = newDomain();
      const [a, b] = [`a.${domain}`, `b.${domain}`];
      let answer = (_page: readonly string[]): void => {};
      const held = new Promise<readonly string[]>((resolve) => (answer = resolve));
      rig.web.host(a, { '/': () => held, '/x': 'x' });
      rig.web.host(b, { '/': 'b' });
      const crawl = await rig.crawl({ seeds: [`http://${a}/`] });
      await waitFor(() => rig.web.requests(domain).length === 2, { what: 'the page is asked for' });
      await crawl.handle.terminate();
      answer(['/x', `http://${b}/`]);
      await waitFor(async () => (await crawl.frontier.status()).totals.fetched === 2, {
        what: 'the host goes on without its parent',
      });
      // Nobody starts the other host; its nomination may still have gone to the dead parent's poll.
      await expect(crawl.host(b).describe()).rejects.toThrow(/not found/i);
      const resumed = await crawl.resume();
      expect(await resumed.result()).toMatchObject({ state: 'finished', totals: { fetched: 3 } });
      expect(rig.web.requests(domain).length).toBe(5);
    },
  );

  it.concurrent(
    'a turn that was fenced ends, and its workflow adopts what is on record',
    async () => {
      const domain = newDomain();
      const url = rig.web.host(domain, { '/': ['/x'], '/x': 'x' });
      const crawl = await rig.crawl({ seeds: [url], options: { delayMs: 2000, delayFactor: 0 } });
      await waitFor(async () => (await crawl.hostProgress(domain)).state === 'waiting', {
        what: 'the host waits between two requests',
      });
      const hostRecord = shardKeys(crawl.crawlId).hostPrefix + domain;
      const owner = (await rig.redis.hget(hostRecord, 'owner'))!;
      // As if a turn of this very run had gone further: a reset to an earlier point does that.
      const ahead = { hostKey: domain, owner, turn: 7, attempt: 1 };
      expect(await crawl.frontier.completeAndLease({ claim: ahead })).toMatchObject({
        status: 'lease',
      });
      expect((await crawl.result()).totals).toMatchObject({ fetched: 2, outstanding: 0 });
      expect(rig.web.requests(domain).map(({ path }) => path)).toEqual(['/robots.txt', '/', '/x']);
    },
  );

  it.concurrent('a run whose host belongs to a later one ends by itself', async () => {
    const domain = newDomain();
    const url = rig.web.host(domain, { '/': ['/x'], '/x': 'x' });
    const crawl = await rig.crawl({ seeds: [url], options: { delayMs: 3000, delayFactor: 0 } });
    await waitFor(async () => (await crawl.hostProgress(domain)).state === 'waiting', {
      what: 'the host waits between two requests',
    });
    const later = `${String(Date.now() + 60_000)}:later`;
    const claim = { hostKey: domain, owner: later, turn: 1, attempt: 1 };
    expect(await crawl.frontier.completeAndLease({ claim })).toMatchObject({ status: 'lease' });
    expect(await crawl.host(domain).result()).toMatchObject({ fetched: 0 });
    await crawl.handle.terminate();
    await crawl
      .host(domain)
      .terminate()
      .catch(() => undefined);
  });
});

describe('hosts that end as they are found again (temporal-facts §13)', () => {
  let rig: Rig;
  let workflows: RunningWorkers;
  beforeAll(async () => {
    rig = await startRig({ roles: [] });
    await rig.addWorkers({ roles: ['fetch'] });
    workflows = await rig.addWorkers({ roles: ['workflow'] });
  });
  afterAll(() => rig.close());

  it('forty hosts about to close while the workflow worker stalls: none is lost', async () => {
    const domain = newDomain();
    const names = Array.from({ length: 40 }, (_unused, n) => `h${n}.${domain}`);
    for (const name of names) rig.web.host(name, { '/': 'x', '/late': 'y' });
    let answer = (_page: readonly string[]): void => {};
    const held = new Promise<readonly string[]>((resolve) => (answer = resolve));
    const hub = `hub.${domain}`;
    rig.web.host(hub, { '/': () => held });
    const seeds = [hub, ...names].map((name) => `http://${name}/`);
    const crawl = await rig.crawl({ seeds, tuning: { lingerMs: 2000 } });
    await waitFor(
      async () => {
        const { fetched, runningHosts } = (await crawl.frontier.status()).totals;
        return fetched === 40 && runningHosts === 1;
      },
      { what: 'forty hosts have ended their work' },
    );
    // They linger; their timers fire while nobody is there to hear it, and new work comes.
    await workflows.shutdown();
    answer(names.map((name) => `http://${name}/late`));
    await waitFor(async () => (await crawl.frontier.status()).totals.pendingHosts === 40, {
      what: 'forty hosts have work again',
    });
    const last = crawl.host(names[39]!);
    const fired = countOf(await eventsOf(last), 'TIMER_FIRED');
    await waitFor(async () => countOf(await eventsOf(last), 'TIMER_FIRED') > fired, {
      what: 'the linger of the last host is over',
    });
    await rig.addWorkers({ roles: ['workflow'] });
    const result = await crawl.result();
    expect(result.totals).toMatchObject({ fetched: 81, outstanding: 0, pendingHosts: 0 });
    expect(rig.web.requests(domain).filter(({ path }) => path === '/late').length).toBe(40);
  });
});
