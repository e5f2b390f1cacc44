import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/chaos.js';
import { countOf, detailsOf, eventsOf, runsOf, runsOfCrawl, summariesOf } from './histories.js';
import { startRig, type Rig } from './rig.js';
import { leastGapMs, newDomain } from './web.js';

/** `count` pages, each of which links to the next two. */
export function chainOfPages(count: number): Record<string, readonly string[]> {
  const pages: Record<string, readonly string[]> = { '/': ['/p1', '/p2'] };
  for (let n = 1; n < count; n += 1) {
    pages[`/p${n}`] = [n + 1, n + 2].filter((to) => to < count).map((to) => `/p${to}`);
  }
  return pages;
}

describe('turns of a host', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.close());

  it.concurrent(
    'a delay of a second makes one request a turn and a durable timer (C2, C6)',
    async () => {
      const domain = newDomain();
      const url = rig.web.host(domain, chainOfPages(4));
      const crawl = await rig.crawl({
        seeds: [url],
        options: { delayMs: 1000, delayFactor: 0 },
        tuning: { lingerMs: 20_000 },
      });
      const result = await crawl.result();
      expect(result.totals).toMatchObject({ fetched: 4, outstanding: 0, failed: 0 });
      expect(result).toMatchObject({
        state: 'finished',
        finishReason: 'completed',
        hostsStarted: 1,
      });
      const requests = rig.web.requests(domain);
      expect(requests.map(({ path }) => path)).toEqual(['/robots.txt', '/', '/p1', '/p2', '/p3']);
      expect(leastGapMs(requests)).toBeGreaterThanOrEqual(1000);

      await crawl.host(domain).result();
      const events = await eventsOf(crawl.host(domain));
      expect(summariesOf(events, 'ACTIVITY_TASK_SCHEDULED')).toEqual([
        `first turn on ${domain}`,
        url,
        `${url}p1`,
        `${url}p2`,
        `${url}p3`,
        // The end of the crawl woke it: once more, in vain.
        `look for work of ${domain}`,
      ]);
      expect(summariesOf(events, 'TIMER_STARTED')).toEqual([
        `crawl delay, next ${url}`,
        `crawl delay, next ${url}p1`,
        `crawl delay, next ${url}p2`,
        `crawl delay, next ${url}p3`,
        'queue empty: lingering for new URLs',
      ]);
      expect(events[0]?.summary).toBe(domain);
      // 11 a request that is followed by a wait: the timer's 2, the activity's 3, two tasks' 3 each.
      const perPage = events.length / result.totals.fetched;
      console.log(`events per page at a delay of 1 s: ${perPage.toFixed(1)}`);
      expect(events.length).toBeLessThanOrEqual(11 * requests.length + 20);
    },
  );

  it.concurrent('no delay makes many pages a turn', async () => {
    const domain = newDomain();
    const crawl = await rig.crawl({ seeds: [rig.web.host(domain, chainOfPages(45))] });
    const result = await crawl.result();
    expect(result.totals.fetched).toBe(45);
    await crawl.host(domain).result();
    const events = await eventsOf(crawl.host(domain));
    expect(countOf(events, 'ACTIVITY_TASK_SCHEDULED')).toBeLessThanOrEqual(4);
    console.log(`events per page without a delay: ${(events.length / 45).toFixed(2)}`);
    expect((await crawl.records()).size).toBe(45);
  });

  it.concurrent(
    'the web UI tells what a host did, what it does next and why not yet (C6)',
    async () => {
      const domain = newDomain();
      const url = rig.web.host(domain, chainOfPages(3));
      const crawl = await rig.crawl({ seeds: [url], options: { delayMs: 30_000 } });
      const waiting = await waitFor(
        async () => {
          const progress = await crawl.hostProgress(domain);
          return progress.state === 'waiting' ? progress : null;
        },
        { what: 'the host waits out its delay' },
      );
      expect(waiting).toMatchObject({ nextUrl: url, reason: 'crawl delay', turns: 1, queued: 1 });
      expect(Date.parse(waiting.nextAt!)).toBeGreaterThan(Date.now() + 20_000);
      const details = await detailsOf(crawl.host(domain));
      expect(details).toContain(`**${domain}** is **waiting**: crawl delay`);
      expect(details).toContain(`- next: \`${url}\``);
      expect(details).toContain(`- not before: ${waiting.nextAt}`);

      const described = await crawl.host(domain).describe();
      expect(described.memo).toEqual({ crawlId: crawl.crawlId, hostKey: domain });
      expect(await detailsOf(crawl.handle)).toContain(`**${crawl.crawlId}** is **running**`);
      expect(await crawl.progress()).toMatchObject({ hostsStarted: 1, totals: { discovered: 1 } });
      const runs = await waitFor(
        async () => {
          const found = await runsOfCrawl(rig.client, crawl.crawlId);
          return found.length === 2 ? found : null;
        },
        { what: 'both workflows are listed by CrawlId' },
      );
      expect(runs.sort()).toEqual([
        `crawl/${crawl.crawlId} RUNNING`,
        `crawl/${crawl.crawlId}/host/${domain} RUNNING`,
      ]);
      await crawl.handle.cancel();
      await expect(crawl.result()).rejects.toThrow();
      await expect(crawl.host(domain).result()).rejects.toThrow();
    },
  );

  it.concurrent('both continue as new with live children; nothing is lost or doubled', async () => {
    const domain = newDomain();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.${domain}`);
    for (const [n, name] of names.entries()) {
      const pages: Record<string, readonly string[]> = chainOfPages(30);
      const next = names[n + 1];
      rig.web.host(name, next ? { ...pages, '/p9': [...pages['/p9']!, `http://${next}/`] } : pages);
    }
    const crawl = await rig.crawl({
      seeds: [`http://${names[0]}/`],
      options: { turn: { maxPages: 4 } },
      tuning: { maxHistoryEvents: 20, lingerMs: 300 },
    });
    const result = await crawl.result();
    expect(result.totals).toMatchObject({ fetched: 180, outstanding: 0, failed: 0, hosts: 6 });
    const paths = rig.web.requests(domain).map(({ host, path }) => host + path);
    expect(paths.length).toBe(186);
    expect(new Set(paths).size).toBe(186);
    expect(result.hostsStarted).toBe(6);

    const runs = await waitFor(
      async () => {
        const found = await runsOfCrawl(rig.client, crawl.crawlId);
        return found.some((run) => run.endsWith('RUNNING')) ? null : found;
      },
      { what: 'all runs have closed' },
    );
    const continued = runs.filter((run) => run.endsWith('CONTINUED_AS_NEW'));
    expect(continued.filter((run) => run.includes('/host/')).length).toBeGreaterThan(6);
    expect(continued.some((run) => run.startsWith(`crawl/${crawl.crawlId} `))).toBe(true);
    // The last run of a chain shows the counts of all, and its memo.
    const last = crawl.host(names[0]!);
    expect(await detailsOf(last)).toContain('- so far: 30 fetched, 0 redirected');
    expect((await last.describe()).memo).toEqual({ crawlId: crawl.crawlId, hostKey: names[0] });
    expect((await runsOf(rig.client, last.workflowId)).length).toBeGreaterThan(1);
  });

  it.concurrent(
    'a host without work lingers, and a new URL wakes it instead of starting it anew',
    async () => {
      const domain = newDomain();
      const [a, b] = [`a.${domain}`, `b.${domain}`];
      rig.web.host(a, { '/': [`http://${b}/`], '/late': 'x' });
      let answer: (links: readonly string[]) => void = () => {};
      const held = new Promise<readonly string[]>((resolve) => (answer = resolve));
      rig.web.host(b, { '/': () => held });
      const crawl = await rig.crawl({ seeds: [`http://${a}/`], tuning: { lingerMs: 20_000 } });
      await waitFor(async () => (await crawl.hostProgress(a)).state === 'idle', {
        what: 'the first host has nothing to do',
      });
      expect(await detailsOf(crawl.host(a))).toContain('is **idle**');
      answer([`http://${a}/late`]);
      const result = await crawl.result();
      expect(result).toMatchObject({ hostsStarted: 2, totals: { fetched: 3 } });
      // The end of the crawl wakes who lingers: nobody waits for twenty seconds.
      expect(await crawl.host(a).result()).toMatchObject({
        fetched: 2,
        reason: 'the crawl is finished',
      });
    },
  );
});
