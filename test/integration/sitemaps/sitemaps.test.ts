/** Pages that only a sitemap or a feed leads to, and those that a sitemap may not speak for. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SinkRecord } from '../../../src/contracts/urls.js';
import { startRig, type Rig } from '../workflows/rig.js';
import { newDomain, type Answer } from '../workflows/web.js';

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const locs = (name: string, urls: readonly string[]) =>
  urls.map((url) => `<${name}><loc>${url}</loc></${name}>`).join('');
const urlset = (...urls: string[]) => `<urlset ${NAMESPACE}>${locs('url', urls)}</urlset>`;
const index = (...urls: string[]) =>
  `<sitemapindex ${NAMESPACE}>${locs('sitemap', urls)}</sitemapindex>`;
const rss = (...urls: string[]) =>
  `<rss version="2.0"><channel>${urls.map((url) => `<item><link>${url}</link></item>`).join('')}</channel></rss>`;
const file = (body: string | Buffer, type = 'application/xml'): Answer => ({
  headers: { 'content-type': type },
  body,
});
const FRONT =
  '<link rel="alternate" type="application/rss+xml" href="/feed"><a href="/map.xml">map</a>';

describe('F4: sitemaps and feeds of a crawl', () => {
  let rig: Rig;
  const out = mkdtempSync(join(tmpdir(), 'orbweaver-sitemaps-'));
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(async () => {
    await rig.close();
    rmSync(out, { recursive: true, force: true });
  });

  /** All that the crawl stored, sitemaps too, which `export` leaves out. */
  const stored = (crawlId: string): Map<string, SinkRecord> => {
    const dir = join(out, crawlId);
    const files = readdirSync(dir).filter((name) => name.endsWith('.jsonl'));
    const lines = files.flatMap((name) => readFileSync(join(dir, name), 'utf8').trim().split('\n'));
    const records = lines.map((line) => JSON.parse(line) as SinkRecord);
    return new Map(records.map((record) => [record.url, record]));
  };
  const asked = (domain: string) => rig.web.requests(domain).map(({ host, path }) => host + path);

  it('lead to pages of their own site and of who names them, and to no others', async () => {
    const [site, maps, victim, blog] = [newDomain(), newDomain(), newDomain(), newDomain()];
    const www = `http://www.${site}`;
    rig.web.host(`www.${site}`, {
      '/robots.txt': file(
        `Sitemap: ${www}/index.xml\nSitemap: http://${maps}/shared.xml\n`,
        'text/plain',
      ),
      '/': FRONT,
      '/index.xml': file(index(`${www}/nested.xml`)),
      '/nested.xml': file(index(`${www}/pages.xml.gz`, `${www}/nested.xml`)),
      '/pages.xml.gz': file(
        gzipSync(urlset(`${www}/by-sitemap`, `http://shop.${site}/`, `http://${victim}/a`)),
        'application/gzip',
      ),
      '/by-sitemap': 'x',
      '/by-other-host': 'x',
      '/map.xml': file(urlset(`${www}/by-map`, `http://${victim}/b`), 'text/html'),
      '/by-map': 'x',
      '/feed': file(rss('/by-feed', `http://${blog}/entry`), 'text/html'),
      '/by-feed': 'x',
    });
    rig.web.host(`shop.${site}`, { '/': 'x' });
    rig.web.host(maps, {
      '/shared.xml': file(index(`http://${maps}/part.xml`)),
      '/part.xml': file(urlset(`${www}/by-other-host`, `http://${maps}/own`, `http://${victim}/c`)),
      '/own': 'x',
    });
    rig.web.host(blog, { '/entry': 'x' });
    rig.web.host(victim, { '/a': 'x', '/b': 'x', '/c': 'x' });

    const crawl = await rig.crawl({ seeds: [`${www}/`], options: { scope: 'any', out } });
    expect(await crawl.result()).toMatchObject({ state: 'finished' });

    expect(asked(victim)).toEqual([]);
    const pages = asked(site).filter((path) => !/robots|xml/.test(path));
    const paths = ['/', '/by-feed', '/by-map', '/by-other-host', '/by-sitemap', '/feed'];
    expect(pages.sort()).toEqual([`shop.${site}/`, ...paths.map((path) => `www.${site}${path}`)]);
    expect(asked(site).filter((path) => path.endsWith('/nested.xml'))).toHaveLength(1);
    expect(asked(maps)).toContain(`${maps}/own`);
    expect(asked(blog)).toContain(`${blog}/entry`);

    const { totals } = await crawl.frontier.status();
    expect(totals.rejected).toEqual({ outOfScope: 3 });
    const records = stored(crawl.crawlId);
    expect(records.get(`${www}/by-sitemap`)).toMatchObject({ hops: 'MMMM', depth: 1 });
    expect(records.get(`${www}/by-feed`)).toMatchObject({ hops: 'LS', depth: 2 });
    expect(records.get(`${www}/by-map`)).toMatchObject({ hops: 'LM', depth: 2 });
    expect(records.get(`${www}/pages.xml.gz`)).toMatchObject({
      kind: 'sitemap',
      reason: 'URLs of sites whose robots.txt does not name this file: left out (1)',
    });
  });

  it('are read once for each site that names them, and say what is wrong with them', async () => {
    const [one, two] = [newDomain(), newDomain()];
    const both = `http://${one}/both.xml`;
    const robots = file(`Sitemap: ${both}\nSitemap: /none.xml\n`, 'text/plain');
    rig.web.host(one, {
      ...{ '/robots.txt': robots, '/': [`http://${two}/`], '/by-sitemap': 'x' },
      '/both.xml': file(`${urlset(`http://${one}/by-sitemap`, `http://${two}/by-sitemap`, 'x')}`),
      '/none.xml': file('<html><a href="/no">x</a></html>', 'text/html'),
    });
    rig.web.host(two, { '/robots.txt': robots, '/': 'x', '/by-sitemap': 'x' });
    const crawl = await rig.crawl({ seeds: [`http://${one}/`], options: { scope: 'any', out } });
    await crawl.result();
    expect(asked(one).filter((path) => path.endsWith('both.xml'))).toHaveLength(2);
    expect(asked(one)).not.toContain(`${one}/no`);
    expect(asked(two)).toContain(`${two}/by-sitemap`);
    const records = stored(crawl.crawlId);
    expect(records.get(both)?.reason).toContain('no absolute http(s) URL: left out (x)');
    expect(records.get(`http://${one}/none.xml`)).toMatchObject({
      outcome: 'skipped',
      reason: 'no sitemap or feed: its root element is <html>',
    });
  });

  it('are left alone without the options sitemaps and feeds', async () => {
    const site = newDomain();
    rig.web.host(site, {
      '/robots.txt': file(`Sitemap: http://${site}/s.xml`, 'text/plain'),
      ...{ '/': FRONT, '/s.xml': file(urlset(`http://${site}/no`)) },
      '/map.xml': file(urlset(`http://${site}/no`)),
      '/feed': file(rss('/no'), 'application/rss+xml'),
    });
    const options = { sitemaps: false, feeds: false, out };
    const crawl = await rig.crawl({ seeds: [`http://${site}/`], options });
    await crawl.result();
    expect(asked(site).sort()).toEqual(
      ['/', '/feed', '/map.xml', '/robots.txt'].map((path) => site + path),
    );
  });
});
