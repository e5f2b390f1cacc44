/** Conformance: a host whose pages are met again under ever new addresses ends (issue: traps). */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Frontier } from '../../../../src/contracts/frontier.js';
import { discovered, discoveredMany } from '../builders.js';
import { HostRun, leasedUrl, nominated, openCrawl, type BackEnd } from '../drive.js';

const HOST = 'a.example.com';
const page = (textDigest = '') => ({ hostKey: HOST, textDigest });

/** Fetch a URL for each text, whatever else is queued later. */
async function fetchTexts(frontier: Frontier, run: HostRun, texts: readonly string[]) {
  for (const textDigest of texts) {
    await frontier.addUrls([discovered(HOST, randomUUID())]);
    const url = leasedUrl(await run.lease());
    await run.complete(url, 'fetched', { textDigest }, { lease: false });
  }
}

/** Fetch all that is queued. @returns paths in their order */
async function fetchAll(run: HostRun, textOf: () => string = randomUUID): Promise<string[]> {
  const paths: string[] = [];
  let reply = await run.lease();
  while (reply.status === 'lease') {
    const { url } = reply.item;
    paths.push(new URL(url).pathname.slice(1));
    reply = await run.complete(url, 'fetched', { textDigest: textOf() });
  }
  return paths;
}

async function heldRules(frontier: Frontier): Promise<string[]> {
  const { urls } = await frontier.heldUrls({ limit: 100 });
  return urls.map(({ rule }) => rule);
}

/** Texts that nobody has said yet; each of them again and again. */
const fresh = (count: number) => Array.from({ length: count }, () => randomUUID());
const again = (texts: readonly string[], times: number) =>
  Array.from({ length: times }, () => texts).flat();

/** What becomes of a link of a page with the text. */
async function fateOf(frontier: Frontier, textDigest: string): Promise<'held' | 'queued'> {
  const offered = [discovered(HOST, randomUUID(), { level: 100 })];
  return (await frontier.addUrls(offered, page(textDigest))).held === 1 ? 'held' : 'queued';
}

export function endlessHostsConformance(backEnd: BackEnd): void {
  describe('traps: a host whose pages are met again and again', () => {
    async function openHost(trapBudget: number) {
      const frontier = await openCrawl(backEnd, { trapBudget });
      await frontier.addUrls([discovered(HOST, 'front')]);
      await nominated(frontier);
      const run = new HostRun(frontier, HOST);
      await fetchAll(run, () => 'front');
      return { frontier, run };
    }

    it('past three budgets of them, links of a page that is met again are held back', async () => {
      const { frontier, run } = await openHost(10);
      const texts = fresh(15);
      await fetchTexts(frontier, run, [...texts, ...again(texts, 2)]);
      expect(await fateOf(frontier, texts[0]!)).toBe('queued');
      await fetchTexts(frontier, run, texts.slice(0, 1));
      expect(await fateOf(frontier, texts[1]!)).toBe('held');
      expect(await heldRules(frontier)).toEqual(['alikeHost']);
      // A new page's links are queued all the same, and what a met one embeds.
      expect(await fateOf(frontier, 'new')).toBe('queued');
      const photo = discovered(HOST, 'photo.jpg', { hops: 'LLE' });
      expect(await frontier.addUrls([photo], page(texts[1]))).toMatchObject({ added: 1 });
      // Another host has a count of its own.
      const other = { hostKey: 'b.example.com', textDigest: texts[1]! };
      expect(await frontier.addUrls([discovered(HOST, 'x')], other)).toMatchObject({ added: 1 });
    });

    it('each new page takes one away from the count, not below none', async () => {
      const { frontier, run } = await openHost(10);
      await fetchTexts(frontier, run, fresh(40));
      const texts = fresh(15);
      await fetchTexts(frontier, run, [...texts, ...again(texts, 2), ...fresh(5)]);
      await fetchTexts(frontier, run, texts.slice(0, 5));
      expect(await fateOf(frontier, texts[0]!)).toBe('queued');
      await fetchTexts(frontier, run, texts.slice(5, 6));
      expect(await fateOf(frontier, texts[0]!)).toBe('held');
      await fetchTexts(frontier, run, fresh(1));
      expect(await fateOf(frontier, texts[0]!)).toBe('queued');
    });

    it('past a hundred, links of a page that is met again come later, of a new one as ever', async () => {
      const { frontier, run } = await openHost(1000);
      const texts = fresh(101);
      await fetchTexts(frontier, run, [...texts, ...texts.slice(1)]);
      const firstOf = async (path: string) => {
        await frontier.addUrls([discovered(HOST, `far-${path}`, { level: 100 })], page('new'));
        await frontier.addUrls([discovered(HOST, path)], page(texts[0]));
        return (await fetchAll(run, () => 'front'))[0];
      };
      expect(await firstOf('near')).toBe('near');
      expect(await firstOf('next')).toBe('far-next');
    });

    it('links count too, three a page of the budget', async () => {
      const { frontier, run } = await openHost(10);
      const texts = fresh(11);
      await fetchTexts(frontier, run, [...texts, ...texts]);
      for (const text of texts.slice(0, 3)) {
        const links = discoveredMany(HOST, 11, text);
        expect(await frontier.addUrls(links, page(text))).toMatchObject({ added: 11 });
      }
      expect(await fateOf(frontier, texts[3]!)).toBe('held');
      // Eleven pages of their own give 22 of them back.
      expect(await fetchAll(run)).toHaveLength(33);
      expect(await fateOf(frontier, texts[3]!)).toBe('queued');
    });

    it('a completion that is sent again counts once', async () => {
      const { frontier, run } = await openHost(10);
      const texts = fresh(15);
      await fetchTexts(frontier, run, [...texts, ...again(texts, 2)].slice(0, -1));
      await frontier.addUrls([discovered(HOST, 'last')]);
      await run.lease();
      const told = {
        ...{ claim: run.claim, seq: 500, lease: false },
        completion: { url: `https://${HOST}/last`, outcome: 'fetched', textDigest: texts[14]! },
      } as const;
      await frontier.completeAndLease(told);
      await frontier.completeAndLease(told);
      expect(await fateOf(frontier, texts[0]!)).toBe('queued');
    });

    it('a site behind random parameters ends, and each of its pages is found', async () => {
      const { frontier, run } = await openHost(20);
      const said = new Set<string>();
      await frontier.addUrls([discovered(HOST, 'page/0')]);
      let reply = await run.lease();
      let fetched = 0;
      for (; reply.status === 'lease'; fetched += 1) {
        const n = Number(/page\/(\d+)/.exec(reply.item.url)?.[1]);
        said.add(String(n));
        const links = [(n + 1) % 150, n].map((to) =>
          discovered(HOST, `page/${to}?r=${randomUUID()}`),
        );
        await frontier.addUrls(links, page(`text ${n}`));
        reply = await run.complete(reply.item.url, 'fetched', { textDigest: `text ${n}` });
      }
      expect(said.size).toBe(150);
      // Two links of each new page and of one met again for each, and three budgets of links more.
      expect(fetched).toBeLessThan(4 * 150 + 3 * 60);
      expect((await frontier.status()).totals).toMatchObject({ outstanding: 0 });
    });
  });
}
