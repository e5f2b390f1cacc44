import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/chaos.js';
import { RobotsStore } from '../../../src/frontier/robots-store.js';
import { startRig, type Rig } from './rig.js';
import { newDomain } from './web.js';

describe('robots.txt out of reach', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.close());

  it.concurrent('a robots.txt that answers 5xx forbids all until it is read', async () => {
    const domain = newDomain();
    let isBroken = true;
    const url = rig.web.host(domain, {
      '/robots.txt': () =>
        isBroken
          ? { status: 500 }
          : { body: 'User-agent: *\nDisallow: /no', headers: { 'content-type': 'text/plain' } },
      '/': ['/no', '/yes'],
      '/yes': 'y',
    });
    const crawl = await rig.crawl({ seeds: [url] });
    await waitFor(
      async () => (await crawl.hostProgress(domain)).reason === 'robots.txt: HTTP 500',
      {
        what: 'the host waits for its robots.txt',
      },
    );
    isBroken = false;
    await crawl.host(domain).signal('wake');
    const result = await crawl.result();
    expect(result.totals).toMatchObject({ fetched: 2, skipped: 1, skips: { robotsTxt: 1 } });
    expect(rig.web.requests(domain).map(({ path }) => path)).toEqual([
      ...['/robots.txt', '/robots.txt', '/', '/yes'],
    ]);
  });

  it.concurrent('an unreachable robots.txt is stood in for by its last good copy', async () => {
    const domain = newDomain();
    let answer = (_page: readonly string[]): void => {};
    const held = new Promise<readonly string[]>((resolve) => (answer = resolve));
    let isBroken = false;
    const url = rig.web.host(domain, {
      '/robots.txt': () => (isBroken ? { status: 503 } : { body: 'User-agent: *\nDisallow: /no' }),
      '/': () => held,
      '/yes': 'y',
    });
    // Rules hold for a turn; here each request is one.
    const crawl = await rig.crawl({ seeds: [url], options: { turn: { maxPages: 1 } } });
    await waitFor(() => rig.web.requests(domain).length === 2, { what: 'the page is asked for' });
    isBroken = true;
    const store = new RobotsStore(rig.redis, crawl.crawlId);
    const origin = `http://${domain}`;
    const good = (await store.read(origin))!;
    await store.write(origin, { ...good, expiresAtMs: Date.now() });
    answer(['/no', '/yes']);
    expect((await crawl.result()).totals).toMatchObject({ fetched: 2, skips: { robotsTxt: 1 } });
    expect(rig.web.requests(domain).map(({ path }) => path)).toEqual([
      ...['/robots.txt', '/', '/robots.txt', '/yes'],
    ]);
    expect(await store.read(origin)).toMatchObject({ access: 'disallowAll', failures: 1 });
  });

  it.concurrent('a robots.txt that leads to a private address allows nothing', async () => {
    const domain = newDomain();
    const url = rig.web.host(domain, {
      '/robots.txt': { status: 302, headers: { location: 'http://127.0.0.1:9/robots.txt' } },
      '/': 'never asked for',
    });
    const crawl = await rig.crawl({
      seeds: [url],
      options: { allowPrivate: false, hostPatience: '1s' },
    });
    const result = await crawl.result();
    expect(result.totals).toMatchObject({ fetched: 0, failed: 1, deadLetters: 1 });
    expect((await crawl.records()).get(url)?.reason).toContain('robots.txt: FETCH_PRIVATE_ADDRESS');
    expect(new Set(rig.web.requests(domain).map(({ path }) => path))).toEqual(
      new Set(['/robots.txt']),
    );
  });
});
