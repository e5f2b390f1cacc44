import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRig, type Rig } from './rig.js';
import { leastGapMs, linksTo, newDomain } from './web.js';

describe('redirects', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.close());
  const to = (location: string, headers = {}) => ({
    status: 302,
    headers: { location, ...headers },
  });

  it.concurrent(
    'each ends as it must: in scope, out of it, in a loop, at its own slash',
    async () => {
      const domain = newDomain();
      const url = rig.web.host(domain, {
        '/': ['/in', '/out', '/loop', '/docs', '/cookie', '/nowhere', '/far'],
        '/in': to('/target'),
        '/target': 't',
        '/out': to('http://elsewhere.test/'),
        '/loop': to('/loop2'),
        '/loop2': to('/loop'),
        '/docs': to('/docs/'),
        '/docs/': ['page'],
        '/docs/page': 'relative to the slash',
        '/cookie': (request) =>
          request.headers.cookie?.includes('seen=1')
            ? 'c'
            : to('/cookie', { 'set-cookie': 'seen=1' }),
        '/nowhere': { status: 302 },
        '/far': to('/far'),
      });
      const crawl = await rig.crawl({ seeds: [url] });
      const result = await crawl.result();
      const records = await crawl.records();
      const ends = Object.fromEntries(
        [...records.values()].map(({ url: own, outcome, reason, finalUrl }) => [
          new URL(own).pathname,
          [outcome, reason, new URL(finalUrl).pathname].join(' ').replace('  ', ' '),
        ]),
      );
      expect(ends).toEqual({
        '/': 'fetched /',
        '/in': 'redirected /target',
        '/target': 'fetched /target',
        '/out': 'redirected /',
        // Each is a URL of its own, seen once: the loop ends there.
        '/loop': 'redirected /loop2',
        '/loop2': 'redirected /loop',
        '/docs': 'fetched /docs/',
        '/docs/page': 'fetched /docs/page',
        '/cookie': 'fetched /cookie',
        '/nowhere': 'failed FETCH_BAD_REDIRECT /nowhere',
        '/far': 'failed FETCH_TOO_MANY_REDIRECTS /far',
      });
      expect(result.totals).toMatchObject({ outstanding: 0, rejected: { outOfScope: 1 } });
      expect(rig.web.requests(domain).filter(({ path }) => path === '/far').length).toBe(11);
    },
  );

  it.concurrent('hops within a turn keep the delay of a second, too', async () => {
    const domain = newDomain();
    const url = rig.web.host(domain, { '/': to('/?utm_source=x'), '/?utm_source=x': 'same page' });
    const crawl = await rig.crawl({ seeds: [url], options: { delayMs: 1000, delayFactor: 0 } });
    expect((await crawl.result()).totals).toMatchObject({ fetched: 1, redirected: 0 });
    const requests = rig.web.requests(domain);
    expect(requests.map(({ path }) => path)).toEqual(['/robots.txt', '/', '/?utm_source=x']);
    expect(leastGapMs(requests)).toBeGreaterThanOrEqual(1000);
    expect(await crawl.hostProgress(domain)).toMatchObject({ fetched: 1 });
  });

  it.concurrent('a private address is skipped, and nothing is sent to it', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.end('secret');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const crawl = await rig.crawl({
      seeds: [`http://127.0.0.1:${port}/`],
      options: { allowPrivate: false },
    });
    const result = await crawl.result();
    server.close();
    expect(result.totals).toMatchObject({ fetched: 0, skips: { privateAddress: 1 } });
    expect(asked).toBe(0);
  });
});

describe('limits', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.close());

  /** `hosts` hosts of one domain, each with `pages` pages, all reachable from the first. */
  function site(hosts: number, pages: number): { domain: string; url: string } {
    const domain = newDomain();
    const names = Array.from({ length: hosts }, (_unused, n) => `h${n}.${domain}`);
    const paths = Array.from({ length: pages - 1 }, (_unused, n) => `/p${n}`);
    for (const [n, name] of names.entries()) {
      const links =
        n === 0 ? [...names.slice(1).map((other) => `http://${other}/`), ...paths] : paths;
      rig.web.host(name, { '/': links, ...Object.fromEntries(paths.map((path) => [path, 'p'])) });
    }
    return { domain, url: `http://${names[0]!}/` };
  }
  const pagesAsked = (domain: string) =>
    rig.web.requests(domain).filter(({ path }) => path !== '/robots.txt').length;

  it.concurrent('maxPages is exact with many hosts, and a larger one goes on', async () => {
    const { domain, url } = site(12, 10);
    const crawl = await rig.crawl({ seeds: [url], options: { maxPages: 50 } });
    const result = await crawl.result();
    expect(result).toMatchObject({ finishReason: 'pageLimit', totals: { fetched: 50 } });
    expect(pagesAsked(domain)).toBe(50);
    const resumed = await crawl.resume({ options: { maxPages: 120 } });
    expect((await resumed.result()).totals).toMatchObject({ fetched: 120, outstanding: 0 });
    expect(pagesAsked(domain)).toBe(120);
  });

  it.concurrent('perHostLimit holds for each host, and what is left is held', async () => {
    const { domain, url } = site(3, 10);
    const crawl = await rig.crawl({ seeds: [url], options: { perHostLimit: 4 } });
    expect(await crawl.result()).toMatchObject({
      finishReason: 'completed',
      totals: { fetched: 12, held: 18, outstanding: 0 },
    });
    expect(pagesAsked(domain)).toBe(12);
    expect(await crawl.hostProgress(`h1.${domain}`)).toMatchObject({ fetched: 4 });
  });

  it.concurrent('maxDepth ends at its depth', async () => {
    const domain = newDomain();
    const url = rig.web.host(domain, { '/': ['/1'], '/1': ['/2'], '/2': ['/3'], '/3': 'deep' });
    const crawl = await rig.crawl({ seeds: [url], options: { maxDepth: 2 } });
    expect((await crawl.result()).totals).toMatchObject({ fetched: 3, rejected: { depth: 1 } });
  });

  it.concurrent('maxHostsPerDomain bounds the hosts of a domain', async () => {
    const { domain, url } = site(8, 2);
    const crawl = await rig.crawl({ seeds: [url], options: { maxHostsPerDomain: 3 } });
    expect((await crawl.result()).totals).toMatchObject({
      hosts: 3,
      fetched: 6,
      rejected: { trap: 5 },
    });
    expect(new Set(rig.web.requests(domain).map(({ host }) => host)).size).toBe(3);
  });

  it.concurrent('maxDuration ends a crawl that would never end', async () => {
    const domain = newDomain();
    const pages: Record<string, string> = { '/': linksTo(['/0']) };
    for (let n = 0; n < 2000; n += 1) pages[`/${n}`] = linksTo([`/${n + 1}`]);
    const url = rig.web.host(domain, pages);
    const options = { maxDuration: '3s', delayMs: 20, delayFactor: 0 };
    const result = await (await rig.crawl({ seeds: [url], options })).result();
    expect(result).toMatchObject({ state: 'finished', finishReason: 'maxDuration' });
    expect(result.totals.fetched).toBeGreaterThan(0);
    expect(result.totals.outstanding).toBe(1);
  });

  it.concurrent(
    'concurrency bounds the hosts that are fetched at once, and all get their turn',
    async () => {
      const domain = newDomain();
      let atOnce = 0;
      let most = 0;
      const names = Array.from({ length: 8 }, (_unused, n) => `h${n}.${domain}`);
      for (const name of names) {
        rig.web.host(name, {
          '/': async () => {
            atOnce += 1;
            most = Math.max(most, atOnce);
            await new Promise((resolve) => setTimeout(resolve, 100));
            atOnce -= 1;
            return 'x';
          },
        });
      }
      const seeds = names.map((name) => `http://${name}/`);
      const crawl = await rig.crawl({ seeds, options: { concurrency: 2 } });
      expect((await crawl.result()).totals).toMatchObject({ fetched: 8, outstanding: 0 });
      expect(most).toBeLessThanOrEqual(2);
    },
  );
});
