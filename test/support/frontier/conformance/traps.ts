/** Conformance: what looks like a trap comes later or is held back, and is never lost (issue: traps). */
import { describe, expect, it } from 'vitest';
import type { Frontier, HeldUrl } from '../../../../src/contracts/frontier.js';
import type { DiscoveredUrl, Suspicion } from '../../../../src/contracts/urls.js';
import { discovered, discoveredMany } from '../builders.js';
import { askNextHosts, HostRun, nominated, openCrawl, workOff, type BackEnd } from '../drive.js';

const HOST = 'a.example.com';
const SOFT = '5f404aaaaaaaaaaa';
const page = (textDigest = SOFT) => ({ hostKey: HOST, textDigest });
const suspicious = (path: string, suspicion: Suspicion): DiscoveredUrl =>
  discovered(HOST, path, { suspicion, level: 138 });
const paths = (urls: readonly { url: string }[]) =>
  urls.map(({ url }) => new URL(url).pathname.slice(1)).sort();

async function allHeld(frontier: Frontier): Promise<HeldUrl[]> {
  const held: HeldUrl[] = [];
  for (let cursor: string | null = '0'; cursor !== null;) {
    const next = await frontier.heldUrls({ cursor, limit: 10 });
    held.push(...next.urls);
    ({ cursor } = next);
  }
  return held;
}

/** A crawl with `count` pages of one text fetched, its host nominated and idle. */
async function alikeCrawl(
  backEnd: BackEnd,
  count: number,
  settings: Parameters<typeof openCrawl>[1] = {},
): Promise<{ frontier: Frontier; run: HostRun }> {
  const frontier = await openCrawl(backEnd, { trapBudget: 5, ...settings });
  await frontier.addUrls(discoveredMany(HOST, count, 'alike'));
  await nominated(frontier);
  const run = new HostRun(frontier, HOST);
  await fetchAll(run, SOFT);
  return { frontier, run };
}

/** Fetch all that is queued; each page says `textDigest`, or something of its own. */
async function fetchAll(run: HostRun, textDigest?: string): Promise<string[]> {
  const urls: string[] = [];
  let reply = await run.lease();
  while (reply.status === 'lease') {
    urls.push(reply.item.url);
    const own = Buffer.from(reply.item.url).toString('hex').slice(-16);
    reply = await run.complete(reply.item.url, 'fetched', { textDigest: textDigest ?? own });
  }
  return paths(urls.map((url) => ({ url })));
}

export function trapsConformance(backEnd: BackEnd): void {
  describe('traps: alike pages', () => {
    it('links of the third page that says the same come like any others, of the fourth later', async () => {
      const { frontier, run } = await alikeCrawl(backEnd, 2);
      await frontier.addUrls([discovered(HOST, 'third', { level: 10 })], page());
      await frontier.addUrls([discovered(HOST, 'early', { level: 8 })]);
      expect(await run.lease()).toMatchObject({ item: { url: `https://${HOST}/early` } });
      await run.complete(`https://${HOST}/early`, 'fetched', { textDigest: SOFT });
      await frontier.addUrls([discovered(HOST, 'fourth', { level: 8 })], page());
      // A page far away, found elsewhere, still comes before it.
      await frontier.addUrls([discovered(HOST, 'real', { level: 120 })]);
      const order: string[] = [];
      let reply = await run.lease();
      while (reply.status === 'lease') {
        order.push(reply.item.url.slice(`https://${HOST}/`.length));
        reply = await run.complete(reply.item.url);
      }
      expect(order).toEqual(['third', 'real', 'fourth']);
    });

    it('links of pages past the budget are held back, listed with what leads to them', async () => {
      const { frontier, run } = await alikeCrawl(backEnd, 5);
      const links = discoveredMany(HOST, 3, 'more');
      const reply = { added: 0, seen: 1, held: 3, unlisted: 0 };
      const known = discovered(HOST, 'alike0');
      expect(await frontier.addUrls([...links, known], page())).toEqual(reply);
      expect(await frontier.addUrls([...links, known], page())).toEqual(reply);
      expect(await run.lease()).toMatchObject({ status: 'idle' });
      const held = await allHeld(frontier);
      expect(paths(held)).toEqual(['more0', 'more1', 'more2']);
      const { url, via } = links[0]!;
      expect(held).toContainEqual({
        ...{ url, via, hostKey: HOST, rule: 'alikePages', level: 10 },
        ...{ kind: 'page', depth: 1, hops: 'L', attempts: 0 },
      });
      const { totals } = await frontier.status();
      expect(totals).toMatchObject({ trapped: 3, rejected: { trap: 3 }, outstanding: 0, held: 0 });
      expect(totals.discovered).toBe(5);
      expect(await askNextHosts(frontier)).toMatchObject({ isDone: true, totals: { trapped: 3 } });
    });

    it('a held URL that another page offers is queued like any other', async () => {
      const { frontier } = await alikeCrawl(backEnd, 5);
      const links = discoveredMany(HOST, 3, 'more');
      await frontier.addUrls(links, page());
      const found = await frontier.addUrls(links.slice(0, 2), page('0therc0ntent0000'));
      expect(found).toMatchObject({ added: 2, held: 0 });
      expect(paths(await allHeld(frontier))).toEqual(['more2']);
      expect((await frontier.status()).totals).toMatchObject({
        ...{ trapped: 1, rejected: { trap: 1 }, outstanding: 2 },
      });
      expect(await frontier.addUrls(links.slice(0, 2), page())).toMatchObject({ seen: 2, held: 0 });
      expect(await workOff(frontier, { turn: 2 })).toHaveLength(2);
    });

    it('pages that say something new give the budget back to those that led to them', async () => {
      const { frontier, run } = await alikeCrawl(backEnd, 4);
      for (let n = 0; n < 40; n += 1) {
        // A list that says nothing of its own, of a page that does.
        const links = [discovered(HOST, `own${n}`), discovered(HOST, `list${n}`)];
        expect(await frontier.addUrls(links, page())).toMatchObject({ added: 2 });
        let reply = await run.lease();
        while (reply.status === 'lease') {
          const { url } = reply.item;
          const isList = url.includes('list');
          const textDigest = isList ? SOFT : `own${String(n).padStart(13, '0')}`;
          reply = await run.complete(url, 'fetched', { textDigest });
        }
      }
      expect((await frontier.status()).totals).toMatchObject({ trapped: 0, fetched: 84 });
    });

    it('what alike pages embed is queued all the same: it leads nowhere', async () => {
      const { frontier } = await alikeCrawl(backEnd, 9);
      const photo = discovered(HOST, 'photo.jpg', { hops: 'LLE' });
      const offered = [photo, discovered(HOST, 'next', { hops: 'LEL' })];
      expect(await frontier.addUrls(offered, page())).toMatchObject({ added: 1, held: 1 });
      expect(paths(await allHeld(frontier))).toEqual(['next']);
    });

    it('a URL keeps what led to it through retries', async () => {
      const { frontier, run } = await alikeCrawl(backEnd, 4);
      await frontier.addUrls([discovered(HOST, 'own')], page());
      const url = `https://${HOST}/own`;
      await run.lease();
      await run.complete(url, 'retrying', { dueInMs: 0 });
      expect(await fetchAll(run)).toEqual(['own']);
      // The page of its own gave one back: four more may come before the fifth.
      for (const n of [1, 2]) {
        await frontier.addUrls([discovered(HOST, `next${n}`)], page());
        expect(await fetchAll(run, SOFT)).toEqual([`next${n}`]);
      }
      expect(await frontier.addUrls([discovered(HOST, 'last')], page())).toMatchObject({ held: 1 });
    });

    it('a page that lists hundreds uses the budget up by its links', async () => {
      const { frontier } = await alikeCrawl(backEnd, 4);
      const first = await frontier.addUrls(discoveredMany(HOST, 60, 'x'), page());
      expect(first).toMatchObject({ added: 60, held: 0 });
      const next = await frontier.addUrls(discoveredMany(HOST, 60, 'y'), page());
      expect(next).toMatchObject({ added: 0, held: 60 });
      // Hosts do not share their texts.
      const other = { hostKey: 'b.example.com', textDigest: SOFT };
      expect(await frontier.addUrls(discoveredMany(HOST, 5, 'z'), other)).toMatchObject({
        added: 5,
      });
    });

    it('a completion that is sent again counts once', async () => {
      const { frontier, run } = await alikeCrawl(backEnd, 4);
      await frontier.addUrls([discovered(HOST, 'fifth')]);
      await run.lease();
      const step = { completion: { url: `https://${HOST}/fifth`, outcome: 'fetched' as const } };
      const told = {
        claim: run.claim,
        seq: 50,
        completion: { ...step.completion, textDigest: 'x' },
      };
      await frontier.completeAndLease(told);
      await frontier.completeAndLease(told);
      // Twice would be more than one of a kind: it would come later from the third on.
      await frontier.addUrls(discoveredMany(HOST, 1, 'n'), { hostKey: HOST, textDigest: 'x' });
      expect((await frontier.status()).totals).toMatchObject({ fetched: 5, outstanding: 1 });
    });

    it('are nothing special without traps', async () => {
      const { frontier } = await alikeCrawl(backEnd, 30, { traps: false });
      const urls = [
        ...discoveredMany(HOST, 3, 'more'),
        suspicious('year', { rule: 'calendar', weight: 'later' }),
      ];
      expect(await frontier.addUrls(urls, page())).toMatchObject({ added: 4, held: 0 });
    });

    it('the option acts on a running crawl', async () => {
      const { frontier } = await alikeCrawl(backEnd, 6);
      await frontier.addUrls(discoveredMany(HOST, 2, 'one'), page());
      await frontier.adjust({ traps: false });
      const links = discoveredMany(HOST, 2, 'one');
      expect(await frontier.addUrls(links, page())).toMatchObject({ added: 2, held: 0 });
      await frontier.adjust({ traps: true, trapBudget: 7 });
      expect(await frontier.addUrls(discoveredMany(HOST, 2, 'two'), page())).toMatchObject({
        added: 2,
      });
      await frontier.adjust({ trapBudget: 6 });
      expect(await frontier.addUrls(discoveredMany(HOST, 2, 'three'), page())).toMatchObject({
        held: 2,
      });
    });
  });

  describe('traps: suspicious addresses', () => {
    it('the extreme is held back, the rest is queued up to the budget', async () => {
      const frontier = await openCrawl(backEnd, { trapBudget: 20 });
      const hold = { rule: 'repeatedPath', weight: 'hold' } as const;
      const later = { rule: 'calendar', weight: 'later' } as const;
      expect(await frontier.addUrls([suspicious('x', hold)])).toMatchObject({ held: 1 });
      const days = Array.from({ length: 30 }, (_unused, n) => suspicious(`day${n}`, later));
      expect(await frontier.addUrls(days.slice(0, 15))).toMatchObject({ added: 15, held: 0 });
      expect(await frontier.addUrls(days.slice(0, 20))).toMatchObject({ added: 5, seen: 15 });
      expect(await frontier.addUrls(days)).toMatchObject({ added: 0, seen: 20, held: 10 });
      // Another rule and another host have budgets of their own.
      const other = { rule: 'sessionId', weight: 'later' } as const;
      expect(await frontier.addUrls([suspicious('s', other)])).toMatchObject({ added: 1 });
      const there = discovered('b.example.com', 'day', { suspicion: later });
      expect(await frontier.addUrls([there])).toMatchObject({ added: 1 });
      const rules = (await allHeld(frontier)).map(({ rule }) => rule);
      expect(new Set(rules)).toEqual(new Set(['repeatedPath', 'calendar']));
    });
  });

  describe('traps: sessions', () => {
    const session = { rule: 'sessionId', weight: 'later' } as const;
    const links = (n: number) => [0, 1].map((to) => suspicious(`p${to}?sid=${n}`, session));

    it('a site whose every link has a new one is fetched for as long as it says something new', async () => {
      const frontier = await openCrawl(backEnd, { trapBudget: 10 });
      await frontier.addUrls([discovered(HOST, 'front')]);
      await nominated(frontier);
      const run = new HostRun(frontier, HOST);
      for (let n = 0; n < 30; n += 1) {
        expect(await frontier.addUrls(links(n)), String(n)).toMatchObject({ held: 0 });
        await fetchAll(run);
      }
      // From now on its pages are known: ten more URLs, and no further ones.
      let taken = 0;
      for (let n = 30; n < 60; n += 1) {
        taken += (await frontier.addUrls(links(n))).added;
        await fetchAll(run, SOFT);
      }
      expect(taken).toBeLessThanOrEqual(13);
      expect((await frontier.status()).totals.trapped).toBe(60 - taken);
    });
  });

  describe('traps: requeueing what is held back', () => {
    it('queues up to the limit, once a request', async () => {
      const { frontier } = await alikeCrawl(backEnd, 5);
      await frontier.addUrls(discoveredMany(HOST, 5, 'more'), page());
      expect(await frontier.requeueHeld(2, 'first')).toBe(2);
      expect(await frontier.requeueHeld(2, 'first')).toBe(2);
      expect((await frontier.status()).totals).toMatchObject({
        ...{ trapped: 3, rejected: { trap: 3 }, outstanding: 2, discovered: 7 },
      });
      expect(await frontier.requeueHeld(100, 'second')).toBe(3);
      expect(await frontier.requeueHeld(100, 'third')).toBe(0);
      expect(await frontier.requeueHeld(0)).toBe(0);
      // They are seen from now on.
      expect(await frontier.addUrls(discoveredMany(HOST, 5, 'more'))).toMatchObject({ seen: 5 });
      expect(await workOff(frontier, { turn: 2 })).toHaveLength(5);
      expect((await frontier.status()).totals).toMatchObject({ trapped: 0, outstanding: 0 });
    });

    it('makes hosts that the quota refused', async () => {
      const frontier = await openCrawl(backEnd, { maxHostsPerDomain: 2 });
      const hosts = ['a', 'b', 'c', 'd'].map((name) => discovered(`${name}.example.com`, ''));
      await frontier.addUrls(hosts);
      const held = await allHeld(frontier);
      expect(held.map(({ hostKey, rule }) => [hostKey, rule]).sort()).toEqual([
        ['c.example.com', 'maxHostsPerDomain'],
        ['d.example.com', 'maxHostsPerDomain'],
      ]);
      expect(await frontier.requeueHeld(10)).toBe(2);
      expect((await frontier.status()).totals).toMatchObject({ hosts: 4, trapped: 0 });
      expect(await workOff(frontier)).toHaveLength(4);
      // The quota is used up all the more.
      expect(await frontier.addUrls([discovered('e.example.com', '')])).toMatchObject({ held: 1 });
    });

    it('wakes a crawl that is over, and one whose host is exhausted stays so', async () => {
      const { frontier } = await alikeCrawl(backEnd, 5, { perHostLimit: 5 });
      await frontier.addUrls(discoveredMany(HOST, 2, 'more'), page());
      await frontier.setState('finished');
      expect(await frontier.requeueHeld(10)).toBe(2);
      await frontier.adjust({ perHostLimit: null });
      await frontier.setState('running');
      await frontier.reopen({ limit: 10, overdue: true });
      expect(await workOff(frontier, { turn: 2 })).toHaveLength(2);
    });

    it('survives a recount, and is refused by a crawl that is not there', async () => {
      const { frontier } = await alikeCrawl(backEnd, 5);
      await frontier.addUrls(discoveredMany(HOST, 2, 'more'), page());
      await frontier.recount();
      expect((await frontier.status()).totals).toMatchObject({ trapped: 2, outstanding: 0 });
      await frontier.delete();
      expect(await allHeld(frontier)).toEqual([]);
      const notFound = { code: 'FRONTIER_CRAWL_NOT_FOUND' };
      await expect(frontier.requeueHeld(1)).rejects.toMatchObject(notFound);
    });
  });
}
