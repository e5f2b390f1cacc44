import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TallyDetails } from '../../../src/activities/turn-tally.js';
import { waitFor } from '../../support/chaos.js';
import { leastGapMs, newDomain } from '../workflows/web.js';
import { attemptOf, startBench, type Bench } from './bench.js';

describe('one turn on a host', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await startBench();
  });
  afterAll(() => bench.close());

  const pathsAsked = (domain: string) => bench.web.requests(domain).map(({ path }) => path);

  it('takes pages until its queue is empty, without a delay', async () => {
    const domain = newDomain();
    const url = bench.web.host(domain, { '/': ['/x', '/y', '/gone'], '/x': 'x', '/y': 'y' });
    const crawl = await bench.open([url]);
    expect(await crawl.turn(domain, 1)).toMatchObject({
      ...{ status: 'idle', waitMs: 0, queued: 0, nextUrl: null },
      counts: { fetched: 3, failed: 1, skipped: 0 },
      ...{ lastUrl: `${url}gone`, lastOutcome: 'failed (HTTP 404)' },
    });
    expect((await crawl.records()).length).toBe(4);
  });

  it('ends at turn.maxPages and names the next URL', async () => {
    const domain = newDomain();
    const url = bench.web.host(domain, { '/': ['/x', '/y'], '/x': 'x', '/y': 'y' });
    const crawl = await bench.open([url], { turn: { maxPages: 2 } });
    expect(await crawl.turn(domain, 1)).toMatchObject({
      ...{ status: 'more', waitMs: 0, nextUrl: `${url}x`, queued: 2 },
    });
    expect(pathsAsked(domain)).toEqual(['/robots.txt', '/']);
  });

  it('is one request where the delay is a second, and says how long to wait', async () => {
    const domain = newDomain();
    const url = bench.web.host(domain, { '/': 'x' });
    const crawl = await bench.open([url], { delayMs: 1500 });
    expect(await crawl.turn(domain, 1)).toMatchObject({
      ...{ status: 'more', waitMs: 1500, reason: 'crawl delay', nextUrl: url },
    });
    expect(pathsAsked(domain)).toEqual(['/robots.txt']);
    // Come back too early, it does not ask: the gate knows.
    const early = await crawl.turn(domain, 2);
    expect(early).toMatchObject({ status: 'wait', reason: 'crawl delay' });
    expect(early.waitMs).toBeGreaterThan(0);
    expect(pathsAsked(domain)).toEqual(['/robots.txt']);
  });

  it('a Crawl-delay makes the turns of a fast crawl slow, up to its ceiling', async () => {
    const domain = newDomain();
    const url = bench.web.host(domain, {
      '/robots.txt': {
        body: 'User-agent: *\nCrawl-delay: 30',
        headers: { 'content-type': 'text/plain' },
      },
      '/': ['/x'],
      '/x': 'x',
    });
    const crawl = await bench.open([url], { maxDelayMs: 2000 });
    const result = await crawl.turn(domain, 1);
    expect(result).toMatchObject({
      status: 'wait',
      reason: 'crawl delay (robots.txt asks for 30 s, maxDelayMs allows 2 s)',
      nextUrl: url,
    });
    expect(result.waitMs).toBeGreaterThan(1000);
    expect(result.waitMs).toBeLessThanOrEqual(2000);
    expect(pathsAsked(domain)).toEqual(['/robots.txt']);
  });

  it('asked again after its reply was lost, changes nothing and fetches no page twice', async () => {
    const domain = newDomain();
    const url = bench.web.host(domain, { '/': ['/x'], '/x': 'x' });
    const crawl = await bench.open([url]);
    await crawl.turn(domain, 1);
    expect(await crawl.turn(domain, 1, { attempt: 2 })).toMatchObject({ status: 'idle' });
    expect(pathsAsked(domain)).toEqual(['/robots.txt', '/', '/x']);
    expect((await crawl.frontier.status()).totals).toMatchObject({ fetched: 2, outstanding: 0 });
  });

  it('an older attempt or turn is fenced: it neither completes nor leases', async () => {
    const domain = newDomain();
    let answer = (_page: readonly string[]): void => {};
    const held = new Promise<readonly string[]>((resolve) => (answer = resolve));
    const url = bench.web.host(domain, {
      '/': (_request, times) => (times === 1 ? held : ['/x']),
      '/x': 'x',
    });
    const crawl = await bench.open([url], { concurrency: 5 });
    const zombie = crawl.turn(domain, 1);
    await waitFor(() => pathsAsked(domain).includes('/'), { what: 'the page is asked for' });
    // Its gate is held: the second attempt waits a while for it and then lets the workflow wait.
    expect(await crawl.turn(domain, 1, { attempt: 2 })).toMatchObject({
      ...{ status: 'wait', reason: 'another request to this host is under way' },
    });
    answer(['/from-the-zombie']);
    expect(await zombie).toMatchObject({ status: 'fenced', fencedBy: { turn: 1 } });
    expect(await crawl.turn(domain, 2)).toMatchObject({ status: 'idle' });
    const { totals } = await crawl.frontier.status();
    expect(totals).toMatchObject({ fetched: 2, failed: 1, outstanding: 0, leased: 0 });
    expect((await crawl.records()).length).toBe(3);
  }, 20_000);

  it('cancelled in the middle of a page, it says so, and its lease stays for the next', async () => {
    const domain = newDomain();
    const url = bench.web.host(domain, {
      '/': (_request, times) => (times === 1 ? new Promise<string>(() => {}) : 'x'),
    });
    const crawl = await bench.open([url]);
    const env = attemptOf();
    const turn = crawl.turn(domain, 1, { env });
    await waitFor(() => pathsAsked(domain).includes('/'), { what: 'the page is asked for' });
    env.cancel();
    await expect(turn).rejects.toThrow(/CANCELLED/i);
    expect((await crawl.frontier.status()).totals).toMatchObject({ leased: 1, outstanding: 1 });
    expect(await crawl.turn(domain, 1, { attempt: 2 })).toMatchObject({ counts: { fetched: 1 } });
  });

  it('a draining worker ends the turn after the running page', async () => {
    const other = await startBench();
    const domain = newDomain();
    const url = other.web.host(domain, {
      '/': () => {
        other.composed.drain();
        return ['/x', '/y'];
      },
    });
    const crawl = await other.open([url]);
    const result = await crawl.turn(domain, 1);
    expect(result).toMatchObject({ status: 'more', waitMs: 0, nextUrl: `${url}x` });
    await other.close();
  });

  it('beats while a page takes longer than the heartbeat timeout', async () => {
    const domain = newDomain();
    const env = attemptOf(1, 100);
    const beats: TallyDetails[] = [];
    let answer = (_page: string): void => {};
    const held = new Promise<string>((resolve) => (answer = resolve));
    const url = bench.web.host(domain, { '/': ['/slow'], '/slow': () => held });
    env.on('heartbeat', (details) => {
      const tally = details as TallyDetails;
      beats.push(tally);
      if (tally.url === `${url}slow`) answer('x');
    });
    const crawl = await bench.open([url]);
    expect(await crawl.turn(domain, 1, { env })).toMatchObject({ counts: { fetched: 2 } });
    expect(beats.at(-1)).toMatchObject({ url: `${url}slow`, counts: { fetched: 1 } });
  });

  it('two crawls of one host share its clock', async () => {
    const domain = newDomain();
    const pages = Object.fromEntries(Array.from({ length: 5 }, (_u, n) => [`/p${n}`, 'p']));
    const url = bench.web.host(domain, { '/': Object.keys(pages), ...pages });
    const options = { delayMs: 100, delayFactor: 0 };
    const crawls = [await bench.open([url], options), await bench.open([url], options)];
    await Promise.all(
      crawls.map(async (crawl) => {
        let turn = 0;
        do turn += 1;
        while ((await crawl.turn(domain, turn)).status !== 'idle');
      }),
    );
    expect(pathsAsked(domain).length).toBe(2 * 7);
    expect(leastGapMs(bench.web.requests(domain))).toBeGreaterThanOrEqual(100);
  });
});
