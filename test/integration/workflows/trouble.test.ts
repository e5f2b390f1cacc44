import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/chaos.js';
import { countOf, eventsOf, summariesOf } from './histories.js';
import { startRig, type Crawl, type Rig } from './rig.js';
import { leastGapMs, newDomain } from './web.js';

describe('hosts and URLs in trouble', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.close());

  const waits = (crawl: Crawl, hostKey: string) =>
    waitFor(
      async () => {
        const progress = await crawl.hostProgress(hostKey);
        return progress.state === 'waiting' ? progress : null;
      },
      { what: `${hostKey} waits` },
    );
  const isGivenUp = async (crawl: Crawl) => {
    await crawl.handle.terminate();
    for await (const run of rig.client.workflow.list({
      query: `CrawlId="${crawl.crawlId}" AND ExecutionStatus="Running"`,
    })) {
      await rig.client.workflow.getHandle(run.workflowId).terminate();
    }
  };

  it.concurrent(
    'a first failure to connect fails the activity, and its retry is seen (C3)',
    async () => {
      const domain = newDomain();
      const url = rig.web.host(domain, {
        '/': ['/x', '/y'],
        // A connection that was kept gets one repeat within the request.
        '/x': (_request, times) => (times <= 2 ? 'RESET' : 'x'),
        '/y': 'y',
      });
      const crawl = await rig.crawl({ seeds: [url], options: { delayMs: 400, delayFactor: 0 } });
      const result = await crawl.result();
      expect(result.totals).toMatchObject({ fetched: 3, failed: 0, retries: 1 });
      expect(leastGapMs(rig.web.requests(domain))).toBeGreaterThanOrEqual(400);
      const events = await eventsOf(crawl.host(domain));
      const started = events.filter(({ type }) => type === 'ACTIVITY_TASK_STARTED');
      const retried = started.filter(({ attributes }) => attributes['attempt'] === 2);
      expect(retried.length).toBe(1);
      expect(JSON.stringify(retried[0]!.attributes)).toContain('FETCH_RESET');
      // What the failed attempt did is not forgotten.
      expect(await crawl.hostProgress(domain)).toMatchObject({ fetched: 3, retried: 1, failed: 0 });
    },
  );

  it.concurrent(
    'from the third failure on the host rests, in a durable timer of a minute',
    async () => {
      const domain = newDomain();
      let isDown = true;
      const url = rig.web.host(domain, {
        '/robots.txt': () => (isDown ? 'RESET' : { status: 404 }),
        '/': 'up again',
      });
      const crawl = await rig.crawl({ seeds: [url] });
      const progress = await waits(crawl, domain);
      expect(progress).toMatchObject({ reason: 'robots.txt: FETCH_RESET', turns: 1 });
      const events = await eventsOf(crawl.host(domain));
      const timer = events.find(({ type }) => type === 'TIMER_STARTED')!;
      const { seconds } = timer.attributes['startToFireTimeout'] as { seconds: number };
      expect(Number(seconds)).toBeGreaterThanOrEqual(47);
      expect(Number(seconds)).toBeLessThanOrEqual(73);
      expect(summariesOf(events, 'TIMER_STARTED')).toEqual([
        `robots.txt: FETCH_RESET, next ${url}`,
      ]);
      expect(countOf(events, 'ACTIVITY_TASK_SCHEDULED')).toBe(1);
      expect(JSON.stringify(events.find(({ type }) => type === 'ACTIVITY_TASK_STARTED'))).toContain(
        '"attempt":3',
      );
      // It comes back: one good answer and all is forgiven.
      isDown = false;
      await crawl.host(domain).signal('wake');
      expect((await crawl.result()).totals).toMatchObject({ fetched: 1, failed: 0 });
      expect((await crawl.frontier.hosts({ limit: 1 }))[0]).toMatchObject({
        consecutiveFailures: 0,
      });
    },
  );

  it.concurrent('a name that does not exist is final after three tries', async () => {
    const url = `http://${newDomain().replace('.test', '')}.invalid/`;
    const startedAt = Date.now();
    const crawl = await rig.crawl({ seeds: [url] });
    const result = await crawl.result();
    expect(Date.now() - startedAt).toBeLessThan(60_000);
    expect(result.totals).toMatchObject({ fetched: 0, failed: 1, deadLetters: 1, outstanding: 0 });
    const record = (await crawl.records()).get(url);
    expect(record).toMatchObject({ outcome: 'failed', reason: 'robots.txt: FETCH_DNS_NOT_FOUND' });
    const hostKey = new URL(url).hostname;
    const events = await eventsOf(crawl.host(hostKey));
    const started = events.filter(({ type }) => type === 'ACTIVITY_TASK_STARTED');
    expect(started.map(({ attributes }) => attributes['attempt'])).toEqual([3]);
    expect(await crawl.hostProgress(hostKey)).toMatchObject({ state: 'blocked', failed: 1 });
  });

  it.concurrent('429 and 503 are waited out for as long as they ask', async () => {
    const domain = newDomain();
    const busy = (status: number, value: string) => (_request: unknown, times: number) =>
      times === 1 ? { status, headers: { 'retry-after': value } } : 'ok';
    const inTwoSeconds = () => new Date(Date.now() + 2000).toUTCString();
    const url = rig.web.host(domain, {
      '/': ['/x', '/y'],
      '/x': busy(429, '1'),
      '/y': (request, times) => busy(503, inTwoSeconds())(request, times),
    });
    const crawl = await rig.crawl({ seeds: [url] });
    expect((await crawl.result()).totals).toMatchObject({ fetched: 3, retries: 2, failed: 0 });
    const requests = rig.web.requests(domain);
    const after = (path: string) => {
      const n = requests.findIndex((request) => request.path === path);
      return requests[n + 1]!.startMs - requests[n]!.endMs;
    };
    expect(after('/x')).toBeGreaterThanOrEqual(1000);
    // A date names whole seconds.
    expect(after('/y')).toBeGreaterThanOrEqual(1000);
    const events = await eventsOf(crawl.host(domain));
    expect(summariesOf(events, 'TIMER_STARTED')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^HTTP 429/),
        expect.stringMatching(/^HTTP 503/),
      ]),
    );
  });

  it.concurrent(
    'a host beyond patience is blocked: dead letters with records, and back again',
    async () => {
      const domain = newDomain();
      const [good, bad] = [`good.${domain}`, `bad.${domain}`];
      const paths = Array.from({ length: 450 }, (_unused, n) => `/p${n}`);
      let isDown = true;
      const pages = paths.map((path) => [path, 'p'] as const);
      rig.web.host(good, { '/': paths.map((path) => `http://${bad}${path}`) });
      rig.web.host(bad, {
        '/robots.txt': () => (isDown ? { status: 502 } : { status: 404 }),
        ...Object.fromEntries(pages),
      });
      let release = (_page: string): void => {};
      const held = new Promise<string>((resolve) => (release = resolve));
      const third = `third.${domain}`;
      rig.web.host(third, { '/': () => held });
      const crawl = await rig.crawl({
        seeds: [`http://${good}/`, `http://${third}/`],
        options: { hostPatience: '1s', turn: { maxPages: 500 } },
      });
      await waitFor(async () => (await crawl.frontier.status()).totals.deadLetters === 450, {
        what: 'all URLs of the host are dead letters',
      });
      const records = await crawl.records();
      expect(records.size).toBe(451);
      expect(records.get(`http://${bad}/p0`)).toMatchObject({
        outcome: 'failed',
        reason: 'robots.txt: HTTP 502, longer than hostPatience',
      });
      expect(await crawl.host(bad).result()).toMatchObject({ state: 'blocked', failed: 450 });
      isDown = false;
      await crawl.command({ kind: 'requeueDeadLetters' });
      await waitFor(async () => (await crawl.frontier.status()).totals.fetched === 451, {
        what: 'the host has been fetched after all',
      });
      release('x');
      const result = await crawl.result();
      expect(result.totals).toMatchObject({
        fetched: 452,
        failed: 0,
        deadLetters: 0,
        outstanding: 0,
      });
      expect(
        [...(await crawl.records()).values()].every(({ outcome }) => outcome === 'fetched'),
      ).toBe(true);
    },
  );

  it.concurrent('a URL that fails by itself is tried again later, then a dead letter', async () => {
    const domain = newDomain();
    const url = rig.web.host(domain, {
      '/': ['/broken', '/gone', '/fine'],
      '/broken': { status: 500 },
      '/gone': { status: 410 },
      '/fine': 'f',
    });
    const crawl = await rig.crawl({ seeds: [url], options: { retries: 1 } });
    const result = await crawl.result();
    expect(result.totals).toMatchObject({ fetched: 2, failed: 2, deadLetters: 1, retries: 1 });
    const asked = rig.web.requests(domain).filter(({ path }) => path === '/broken');
    expect(asked.length).toBe(2);
    expect(leastGapMs(asked)).toBeGreaterThanOrEqual(5000);
    expect((await crawl.records()).get(`${url}gone`)).toMatchObject({ reason: 'HTTP 410' });
    expect(await crawl.frontier.deadLetters({ offset: 0, limit: 9 })).toMatchObject([
      { url: `${url}broken`, reason: 'HTTP 500', attempts: 1 },
    ]);
  });

  it.concurrent('a retry that is due sooner does not cut the rest of its host short', async () => {
    const domain = newDomain();
    const url = rig.web.host(domain, {
      '/': ['/a', '/b', '/c', '/d'],
      '/a': { status: 503 },
      '/b': { status: 503 },
      '/c': { status: 503 },
    });
    const crawl = await rig.crawl({ seeds: [url], options: { retries: 9 } });
    const progress = await waits(crawl, domain);
    expect(progress.reason).toBe('HTTP 503');
    expect(Date.parse(progress.nextAt!) - Date.now()).toBeGreaterThan(40_000);
    await isGivenUp(crawl);
  });
});
