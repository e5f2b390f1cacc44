import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/chaos.js';
import { countOf, detailsOf, eventsOf, failedTasks, runsOfCrawl } from './histories.js';
import { startRig, type Crawl, type Rig } from './rig.js';
import { newDomain } from './web.js';

const SIX_HOURS_S = 21_600;

describe('commands to a crawl', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.close());

  /** A crawl of one host that asked to be left alone for six hours, and waits. */
  async function sixHourWait(more: { isBusy?: () => boolean } = {}) {
    const domain = newDomain();
    const isBusy = more.isBusy ?? (() => true);
    const url = rig.web.host(domain, {
      '/': () =>
        isBusy() ? { status: 503, headers: { 'retry-after': `${SIX_HOURS_S}` } } : 'at last',
    });
    const crawl = await rig.crawl({ seeds: [url], options: { hostPatience: '1d', retries: 5 } });
    await waitFor(async () => (await crawl.hostProgress(domain)).state === 'waiting', {
      what: 'the host waits for six hours',
    });
    return { domain, url, crawl };
  }

  const hasClosed = (crawl: Crawl) =>
    waitFor(
      async () => {
        const runs = await runsOfCrawl(rig.client, crawl.crawlId);
        return runs.some((run) => run.endsWith('RUNNING')) ? null : runs;
      },
      { what: 'no workflow of the crawl runs any more' },
    );

  const closesAsCancelled = async (crawl: Crawl, domain: string) => {
    await expect(crawl.result()).rejects.toThrow(/cancel/i);
    await expect(crawl.host(domain).result()).rejects.toThrow(/cancel/i);
    expect((await crawl.host(domain).describe()).status.name).toBe('CANCELLED');
  };

  it.concurrent(
    'Retry-After of six hours is told to people, and cancelling the crawl ends the wait',
    async () => {
      const { domain, crawl } = await sixHourWait();
      const progress = await crawl.hostProgress(domain);
      expect(progress.reason).toMatch(/HTTP 503|left alone/);
      expect(Date.parse(progress.nextAt!) - Date.now()).toBeGreaterThan((SIX_HOURS_S - 60) * 1000);
      expect(await detailsOf(crawl.host(domain))).toContain('is **waiting**: HTTP 503');
      // Its place is free for others meanwhile.
      expect((await crawl.frontier.status()).totals).toMatchObject({
        placedHosts: 0,
        runningHosts: 1,
      });
      await crawl.handle.cancel();
      await closesAsCancelled(crawl, domain);
      const status = await crawl.frontier.status();
      expect(status).toMatchObject({ state: 'cancelled', finishReason: 'cancelled' });
      expect(status.totals).toMatchObject({ outstanding: 1, leased: 0, runningHosts: 0 });
    },
  );

  it.concurrent('a cancelled turn is broken off, and its lease is given back', async () => {
    const domain = newDomain();
    const url = rig.web.host(domain, { '/': () => new Promise<string>(() => {}) });
    const crawl = await rig.crawl({ seeds: [url], tuning: { heartbeatMs: 1000 } });
    await waitFor(() => rig.web.requests(domain).some(({ path }) => path === '/'), {
      what: 'the page is being fetched',
    });
    expect((await crawl.frontier.status()).totals.leased).toBe(1);
    await crawl.handle.cancel();
    await closesAsCancelled(crawl, domain);
    expect((await crawl.frontier.status()).totals).toMatchObject({ outstanding: 1, leased: 0 });
    // Resumed, it is fetched.
    rig.web.host(domain, { '/': 'now' });
    const resumed = await crawl.resume();
    expect((await resumed.result()).totals).toMatchObject({ fetched: 1, outstanding: 0 });
  });

  it.concurrent('a host cancelled by hand gives its lease back and is started again', async () => {
    const domain = newDomain();
    let isHeld = true;
    const url = rig.web.host(domain, {
      '/': () => (isHeld ? new Promise<string>(() => {}) : 'now'),
    });
    const crawl = await rig.crawl({ seeds: [url], tuning: { heartbeatMs: 1000 } });
    await waitFor(() => rig.web.requests(domain).some(({ path }) => path === '/'), {
      what: 'the page is being fetched',
    });
    isHeld = false;
    await crawl.host(domain).cancel();
    const result = await crawl.result();
    expect(result).toMatchObject({ hostsStarted: 2, totals: { fetched: 1, outstanding: 0 } });
  });

  it.concurrent('pause reaches a host in a six-hour wait, unpause wakes it', async () => {
    let isBusy = true;
    const { domain, crawl } = await sixHourWait({ isBusy: () => isBusy });
    expect(await crawl.command({ kind: 'pause' })).toMatchObject({ state: 'paused' });
    await waitFor(async () => (await crawl.hostProgress(domain)).state === 'paused', {
      what: 'the host is paused',
    });
    expect(await detailsOf(crawl.host(domain))).toContain('is **paused**');
    await waitFor(async () => (await detailsOf(crawl.handle)).includes('is **paused**'), {
      what: 'the crawl shows that it is paused',
    });
    isBusy = false;
    await crawl.handle.signal('command', { kind: 'unpause' });
    // The host's own wish outlives the pause.
    await waitFor(async () => (await crawl.hostProgress(domain)).state === 'waiting', {
      what: 'the host waits again',
    });
    expect(rig.web.requests(domain).filter(({ path }) => path === '/').length).toBe(1);
    await crawl.handle.terminate();
    await crawl.host(domain).terminate();
  });

  it.concurrent('stop reaches a host in a six-hour wait', async () => {
    const { domain, crawl } = await sixHourWait();
    await crawl.command({ kind: 'stop' });
    const result = await crawl.result();
    expect(result).toMatchObject({ state: 'finished', finishReason: 'stopped' });
    expect(await crawl.host(domain).result()).toMatchObject({ reason: 'the crawl is stopping' });
    expect(result.totals).toMatchObject({ outstanding: 1, leased: 0 });
  });

  it.concurrent('a page limit that is reached ends a six-hour wait of another host', async () => {
    const domain = newDomain();
    const [busy, other] = [`busy.${domain}`, `other.${domain}`];
    rig.web.host(busy, { '/': { status: 429, headers: { 'retry-after': `${SIX_HOURS_S}` } } });
    rig.web.host(other, { '/': ['/x'], '/x': 'x', '/y': 'y' });
    const options = { hostPatience: '1d', maxPages: 3 };
    const crawl = await rig.crawl({ seeds: [`http://${busy}/`, `http://${other}/`], options });
    await waitFor(async () => (await crawl.hostProgress(busy)).state === 'waiting', {
      what: 'the busy host waits for six hours',
    });
    await crawl.handle.executeUpdate('addSeeds', { args: [{ seeds: [`http://${other}/y`] }] });
    expect(await crawl.result()).toMatchObject({
      finishReason: 'pageLimit',
      totals: { fetched: 3 },
    });
    await hasClosed(crawl);
  });

  it.concurrent('new settings act at the next page of a host that waits', async () => {
    const domain = newDomain();
    const url = rig.web.host(domain, { '/': ['/x'], '/x': 'x' });
    const crawl = await rig.crawl({ seeds: [url], options: { delayMs: '10m', maxDelayMs: '10m' } });
    await waitFor(async () => (await crawl.hostProgress(domain)).state === 'waiting', {
      what: 'the host waits out ten minutes',
    });
    await crawl.command({ kind: 'adjust', options: { delayMs: 0, delayFactor: 0 } });
    expect((await crawl.result()).totals.fetched).toBe(2);
  });

  it.concurrent(
    'commands are refused with field, value and remedy, and the crawl goes on',
    async () => {
      const { domain, crawl } = await sixHourWait();
      const refused = async (command: object) => {
        const error = await crawl.command(command).then(
          () => expect.fail('was not refused'),
          (reason: { cause?: { message?: string; type?: string } }) => reason.cause,
        );
        return `${error?.type}: ${error?.message}`;
      };
      expect(await refused({ kind: 'adjust', options: { delayMs: 'soon' } })).toMatch(
        /CONFIG_INVALID_OPTION: delayMs: .*soon/,
      );
      expect(await refused({ kind: 'adjust', options: { dedupe: 'exact' } })).toMatch(/dedupe/);
      expect(await refused({ kind: 'adjust' })).toMatch(/CONFIG_INVALID_OPTION: options: .*send/);
      expect(await refused({ kind: 'explode' })).toMatch(/kind: "explode" is no command.*pause/);
      await crawl.handle.signal('command', { kind: 'explode' });
      await crawl.handle.signal('command', { kind: 'adjust', options: { delayMs: 'soon' } });
      const seeds = crawl.handle.executeUpdate('addSeeds', { args: [{ seeds: 'http://x.test' }] });
      await expect(seeds).rejects.toMatchObject({ cause: { message: /^seeds: "http/ } as object });
      expect(await crawl.progress()).toMatchObject({ state: 'running' });
      // None of this failed a task or wrote a wake into the host's history.
      expect(failedTasks(await eventsOf(crawl.handle))).toEqual([]);
      expect(countOf(await eventsOf(crawl.host(domain)), 'WORKFLOW_EXECUTION_SIGNALED')).toBe(0);
      await crawl.command({ kind: 'stop' });
      await crawl.result();
    },
  );

  it.concurrent('a crawl that is stopping is not unpaused, and says why', async () => {
    const domain = newDomain();
    let answer = (_page: string): void => {};
    const held = new Promise<string>((resolve) => (answer = resolve));
    const crawl = await rig.crawl({ seeds: [rig.web.host(domain, { '/': () => held })] });
    await waitFor(() => rig.web.requests(domain).length === 2, { what: 'the page is asked for' });
    await crawl.command({ kind: 'stop' });
    await expect(crawl.command({ kind: 'unpause' })).rejects.toMatchObject({
      cause: { type: 'FRONTIER_CRAWL_STATE', message: /is stopping/ } as object,
    });
    await expect(crawl.command({ kind: 'pause' })).rejects.toMatchObject({
      cause: { type: 'FRONTIER_CRAWL_STATE' },
    });
    answer('done');
    expect(await crawl.result()).toMatchObject({ finishReason: 'stopped', totals: { fetched: 1 } });
  });

  it.concurrent('a second parent takes over, and the first one ends without harm', async () => {
    const { domain, crawl } = await sixHourWait();
    const second = await rig.crawl(
      { crawlId: crawl.crawlId, resume: true },
      `second/${crawl.crawlId}`,
    );
    expect(await crawl.result()).toMatchObject({ crawlId: crawl.crawlId, state: 'running' });
    expect((await crawl.host(domain).describe()).status.name).toBe('RUNNING');
    await second.command({ kind: 'stop' });
    expect(await second.result()).toMatchObject({ finishReason: 'stopped' });
  });

  it.concurrent(
    'a client that reaches Temporal only reads progress, hosts and dead letters',
    async () => {
      const domain = newDomain();
      const crawl = await rig.crawl({ seeds: [rig.web.host(domain, { '/': 'x' })] });
      await crawl.result();
      const read = (request: object) =>
        rig.client.workflow.execute('readCrawlWorkflow', {
          ...{
            taskQueue: rig.taskQueue,
            workflowId: `read/${crawl.crawlId}/${JSON.stringify(request)}`,
          },
          args: [{ crawlId: crawl.crawlId, ...request }],
        });
      expect(await read({ kind: 'progress' })).toMatchObject({ progress: { state: 'finished' } });
      expect(await read({ kind: 'hosts', limit: 10 })).toMatchObject({
        hosts: [{ hostKey: domain, fetched: 1 }],
      });
      expect(await read({ kind: 'deadLetters', offset: 0, limit: 10 })).toMatchObject({
        letters: [],
      });
    },
  );
});
