/**
 * A crawl among endless traps finds every real page and ends by itself; nothing is lost. Among the
 * traps are those of the public cases: trap-deep-path, trap-broken-relative, trap-many-params and
 * status-soft-404.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrawlResult } from '../../../src/contracts/crawl.js';
import type { HeldUrl } from '../../../src/contracts/frontier.js';
import type { PageRecord } from '../../../src/contracts/urls.js';
import { startRig, type Crawl, type Rig } from '../../integration/workflows/rig.js';
import { newDomain } from '../../integration/workflows/web.js';
import { TRAP_KINDS } from '../../support/traps/trap-kinds.js';
import {
  GALLERY_PAGES,
  startTrapWeb,
  VARIANT_PAGES,
  type TrapWeb,
} from '../../support/traps/trap-web.js';

/** Smaller than the default, so that the traps are left sooner. */
const TRAP_BUDGET = 10;
const MAX_HOSTS = 25;
const TRAP_NAMES = Object.keys(TRAP_KINDS);
let rig: Rig;
let web: TrapWeb;

beforeAll(async () => {
  [rig, web] = await Promise.all([startRig(), startTrapWeb(newDomain())]);
});
afterAll(async () => {
  await rig?.close();
  await web?.close();
});

const options = () => ({
  ...{ scope: 'any', mapHosts: web.mapHosts, sitemaps: false, robots: 'ignore' },
  ...{ maxHostsPerDomain: MAX_HOSTS, trapBudget: TRAP_BUDGET },
});

async function heldOf(crawl: Crawl): Promise<HeldUrl[]> {
  const held: HeldUrl[] = [];
  for (let cursor: string | null = '0'; cursor !== null;) {
    const page = await crawl.frontier.heldUrls({ cursor, limit: 1000 });
    held.push(...page.urls);
    ({ cursor } = page);
  }
  return held;
}

describe('real pages among endless traps (F7, crawl traps)', () => {
  let crawl: Crawl;
  let result: CrawlResult;
  let records: Map<string, PageRecord>;
  let held: HeldUrl[];

  beforeAll(async () => {
    crawl = await rig.crawl({ seeds: [web.seedUrl], options: options() });
    result = await crawl.result();
    records = await crawl.records();
    held = await heldOf(crawl);
    console.log(JSON.stringify(web.trapRequests()), result.totals.fetched, held.length);
  }, 120_000);

  it('the crawl ends by itself', () => {
    expect(result).toMatchObject({ state: 'finished', finishReason: 'completed' });
    expect(result.totals).toMatchObject({ outstanding: 0, held: 0, failed: 0, deadLetters: 0 });
  });

  it('every real page is fetched, also those far down and those that only traps lead to', () => {
    expect(web.realUrls.length).toBeGreaterThanOrEqual(500);
    expect(web.realUrls.filter((url) => records.get(url)?.outcome !== 'fetched')).toEqual([]);
  });

  it('of a site behind random parameters all pages are found, and it ends', () => {
    const fetched = [...records.values()].filter(
      ({ url, outcome }) => url.startsWith(web.variantPrefix) && outcome === 'fetched',
    );
    expect(new Set(fetched.map(({ url }) => new URL(url).pathname)).size).toBe(VARIANT_PAGES);
    expect(new Set(fetched.map(({ textDigest }) => textDigest)).size).toBe(VARIANT_PAGES);
    // A budget for each text would be 120 × 10 pages and more.
    expect(fetched.length).toBeLessThan(VARIANT_PAGES * 5);
    expect(held.some(({ url }) => url.startsWith(web.variantPrefix))).toBe(true);
  });

  it('every trap is left after a bounded number of pages', () => {
    const requests = web.trapRequests();
    expect(Object.keys(requests).sort()).toEqual([...TRAP_NAMES, 'wildcard'].sort());
    // Three URLs a page of the budget, for each text: the sessions' pages have ten.
    for (const [name, count] of Object.entries(requests)) {
      const texts = name === 'sessions' ? 10 : 1;
      expect(count, name).toBeLessThan(TRAP_BUDGET * 10 * texts);
    }
    expect(requests['wildcard']).toBe(MAX_HOSTS);
  });

  it('what is held back is listed, each URL once with its rule, and was not fetched', () => {
    expect(held.length).toBe(result.totals.trapped);
    expect(result.totals.rejected['trap']).toBe(held.length);
    expect(new Set(held.map(({ url }) => url)).size).toBe(held.length);
    expect(held.filter(({ url }) => records.has(url))).toEqual([]);
    const rules = new Set(held.map(({ rule }) => rule));
    expect(rules).toContain('alikePages');
    expect(rules).toContain('alikeHost');
    expect(rules).toContain('maxHostsPerDomain');
    expect(rules).toContain('repeatedPath');
    for (const kind of TRAP_NAMES) {
      expect(
        held.some(({ hostKey }) => hostKey.startsWith(`${kind}.`)),
        kind,
      ).toBe(true);
    }
  });

  it('pages with the same text are found by their digest', () => {
    const digests = (name: string) =>
      [...records.values()]
        .filter(({ url, outcome }) => url.includes(`//${name}.`) && outcome === 'fetched')
        .filter(({ url }) => !url.includes('/real/'))
        .map(({ textDigest }) => textDigest);
    for (const name of ['soft', 'near', 'calendar']) {
      expect(digests(name).length, name).toBeGreaterThan(3);
      expect(new Set(digests(name)).size, name).toBe(1);
    }
    const real = [...records.values()].filter(({ url }) => web.realUrls.includes(url));
    expect(new Set(real.map(({ textDigest }) => textDigest)).size).toBe(real.length);
  });

  it('requeued, it is fetched without traps, as far as a limit allows', async () => {
    const limit = result.totals.fetched + 60;
    expect(await crawl.frontier.requeueHeld(500)).toBe(Math.min(500, held.length));
    const resumed = await crawl.resume({ options: { traps: false, maxPages: limit } });
    const next = await resumed.result();
    expect(next).toMatchObject({ finishReason: 'pageLimit', totals: { fetched: limit } });
    const after = await resumed.records();
    const taken = held.filter(({ url }) => after.get(url)?.outcome === 'fetched');
    expect(taken.length).toBeGreaterThan(30);
    // A quota of hosts is no matter of traps.
    const still = (await heldOf(crawl)).filter(({ rule }) => rule !== 'maxHostsPerDomain');
    expect(still.length).toBeLessThanOrEqual(Math.max(0, held.length - 500));
  }, 60_000);
});

describe('what the detectors are measured against', () => {
  it('without them only a page limit ends the crawl', async () => {
    const limited = { ...options(), traps: false, maxPages: 900 };
    const crawl = await rig.crawl({ seeds: [web.seedUrl], options: limited });
    const { totals, finishReason } = await crawl.result();
    expect(finishReason).toBe('pageLimit');
    expect(totals.fetched).toBe(900);
    expect(totals.outstanding).toBeGreaterThan(500);
  }, 60_000);

  it('a site of 600 pages that differ in their number alone is fetched whole by default', async () => {
    const crawl = await rig.crawl({
      seeds: [web.gallerySeedUrl],
      options: { mapHosts: web.mapHosts, robots: 'ignore' },
    });
    const { totals } = await crawl.result();
    expect(totals).toMatchObject({ fetched: GALLERY_PAGES, trapped: 0, outstanding: 0 });
  }, 60_000);
});
