import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDomain } from '../workflows/web.js';
import { startBench, type Bench } from './bench.js';

const to = (location: string) => ({ status: 301, headers: { location } });
const robots = (body: string) => ({ body, headers: { 'content-type': 'text/plain' } });

describe('a redirect to the page itself (F7)', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await startBench();
  });
  afterAll(() => bench.close());

  const asked = (domain: string) =>
    bench.web.requests(domain).map(({ host, path }) => host.replace(domain, '') + path);

  it('is followed within the turn, and the page is stored once', async () => {
    const domain = newDomain();
    const url = bench.web.host(domain, { '/docs': to('/docs/'), '/docs/': 'x' });
    const crawl = await bench.open([`${url}docs`]);
    expect(await crawl.turn(domain, 1)).toMatchObject({ status: 'idle', counts: { fetched: 1 } });
    expect(await crawl.records()).toMatchObject([
      { url: `${url}docs`, finalUrl: `${url}docs/`, outcome: 'fetched' },
    ]);
  });

  it('is not followed where robots.txt forbids its target', async () => {
    const domain = newDomain();
    const url = bench.web.host(domain, {
      '/robots.txt': robots('User-agent: *\nDisallow: /docs/'),
      ...{ '/docs': to('/docs/'), '/docs/': 'x' },
    });
    const crawl = await bench.open([`${url}docs`]);
    await crawl.turn(domain, 1);
    expect(asked(domain)).toEqual(['/robots.txt', '/docs']);
    expect(await crawl.records()).toMatchObject([
      { url: `${url}docs`, finalUrl: `${url}docs/`, outcome: 'skipped', reason: 'robotsTxt' },
    ]);
  });

  it('is not followed where the crawl excludes its target, but where only include is narrower', async () => {
    const domain = newDomain();
    const url = bench.web.host(domain, {
      ...{ '/docs': to('/docs/'), '/docs/': 'x', '/a': to('/a/'), '/a/': 'x' },
    });
    const crawl = await bench.open([`${url}docs`, `${url}a`], {
      ...{ exclude: ['*/docs/'], include: ['*/nothing'] },
    });
    await crawl.turn(domain, 1);
    expect(asked(domain)).not.toContain('/docs/');
    expect(await crawl.records()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ url: `${url}docs`, outcome: 'skipped', reason: 'outOfScope' }),
        expect.objectContaining({ url: `${url}a`, finalUrl: `${url}a/`, outcome: 'fetched' }),
      ]),
    );
  });

  it('asks for the robots.txt of the other name where www counts for nothing', async () => {
    const domain = newDomain();
    const url = bench.web.host(domain, { '/': to(`http://www.${domain}/`) });
    bench.web.host(`www.${domain}`, {
      '/robots.txt': robots('User-agent: *\nDisallow: /private'),
      ...{ '/': ['/a', '/private', `http://${domain}/a`], '/a': 'x' },
    });
    const crawl = await bench.open([url], { scope: 'host', canonical: ['www'] });
    await crawl.turn(domain, 1);
    expect(asked(domain)).toEqual(['/robots.txt', '/', 'www./robots.txt', '/', 'www./']);
    const { totals } = await crawl.frontier.status();
    expect(totals).toMatchObject({ fetched: 1, discovered: 3, outstanding: 2 });
  });
});
