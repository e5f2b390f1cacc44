/** Conformance: dedupe, claiming, redelivery (Q1, Q3, F4–F6). */
import { describe, expect, it } from 'vitest';
import { discovered, discoveredMany, owner } from '../builders.js';
import {
  askNextHosts,
  HostRun,
  leasedUrl,
  nominated,
  openCrawl,
  until,
  type BackEnd,
} from '../drive.js';

export function seenAndLeaseConformance(backEnd: BackEnd): void {
  describe('seen, claimed, redelivered (Q3, F4, F5, F6)', () => {
    it('takes a URL once, in one call or several', async () => {
      const frontier = await openCrawl(backEnd);
      const urls = discoveredMany('a.example.com', 5);
      expect(await frontier.addUrls([...urls, urls[0]!])).toEqual({
        added: 5,
        seen: 1,
        held: 0,
        unlisted: 0,
      });
      expect(await frontier.addUrls(urls)).toEqual({ added: 0, seen: 5, held: 0, unlisted: 0 });
      const { totals } = await frontier.status();
      expect(totals).toMatchObject({ discovered: 5, outstanding: 5, hosts: 1, pendingHosts: 1 });
    });

    it('takes a URL once when many ask at the same time', async () => {
      const frontier = await openCrawl(backEnd);
      const urls = discoveredMany('a.example.com', 200);
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => backEnd.make(frontier.crawlId).addUrls(urls)),
      );
      expect(replies.reduce((sum, reply) => sum + reply.added, 0)).toBe(200);
    });

    it('adds more URLs than one step takes', async () => {
      const frontier = await openCrawl(backEnd);
      expect((await frontier.addUrls(discoveredMany('a.example.com', 1201))).added).toBe(1201);
    });

    it('adds nothing for no URLs', async () => {
      const frontier = await openCrawl(backEnd);
      expect(await frontier.addUrls([])).toEqual({ added: 0, seen: 0, held: 0, unlisted: 0 });
    });

    it('keeps all that is known of a URL, whatever is in it', async () => {
      const frontier = await openCrawl(backEnd);
      const url = discovered('ünï.example.com', '', {
        url: 'https://ünï.example.com/a?q="{}\\%00&x=é',
        depth: 7,
        hops: 'LRLME',
        via: 'https://other.example.org/?a=b%09c',
        level: 255,
        kind: 'sitemap',
      });
      await frontier.addUrls([url]);
      const reply = await new HostRun(frontier, url.hostKey).lease();
      const { fingerprint, hostKey, registeredDomain, ...kept } = url;
      expect([fingerprint, hostKey, registeredDomain]).toHaveLength(3);
      expect(reply).toMatchObject({ status: 'lease', item: kept });
    });

    it('refuses what cannot be queued, by field, and queues nothing of that step', async () => {
      const frontier = await openCrawl(backEnd);
      const good = discovered('a.example.com', 'good');
      for (const [field, value] of [
        ['level', 256],
        ['level', Number.NaN],
        ['depth', -1],
        ['attempts', 0.5],
        ['via', 'https://x.example/\t'],
        ['url', ''],
      ] as const) {
        const bad = { ...discovered('a.example.com', 'bad'), [field]: value };
        await expect(frontier.addUrls([good, bad]), field).rejects.toMatchObject({
          code: 'CONFIG_INVALID_OPTION',
          message: expect.stringContaining(`${field}:`) as string,
        });
      }
      expect((await frontier.addUrls([good])).added).toBe(1);
    });

    it('nominates a host to one request only', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany('a.example.com', 3));
      const both = await Promise.all([nominated(frontier), nominated(frontier)]);
      expect(both.flat()).toEqual(['a.example.com']);
    });

    it('names the same hosts to the same request again', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany('a.example.com', 3));
      const first = await askNextHosts(frontier, { requestId: 'one' });
      expect(first.hosts).toEqual([{ hostKey: 'a.example.com', why: 'pending' }]);
      expect((await askNextHosts(frontier, { requestId: 'one' })).hosts).toEqual(first.hosts);
      expect((await askNextHosts(frontier, { requestId: 'two' })).hosts).toEqual([]);
    });

    it('leases one URL at a time: asked again, the same one', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany('a.example.com', 3));
      await nominated(frontier);
      const run = new HostRun(frontier, 'a.example.com');
      const first = leasedUrl(await run.lease());
      expect(leasedUrl(await run.lease())).toBe(first);
      expect(leasedUrl(await run.complete(first))).not.toBe(first);
      expect((await frontier.status()).totals).toMatchObject({ fetched: 1, leased: 1 });
    });

    it('hands a claimed URL to nobody else before its host is overdue', async () => {
      const frontier = await openCrawl(backEnd, {}, { leaseMs: 60_000 });
      await frontier.addUrls(discoveredMany('a.example.com', 2));
      await nominated(frontier);
      await new HostRun(frontier, 'a.example.com').lease();
      expect(await nominated(frontier)).toEqual([]);
      expect(await nominated(frontier)).toEqual([]);
    });

    it('redelivers a URL that was claimed and never completed', async () => {
      const frontier = await openCrawl(backEnd, {}, { leaseMs: 100 });
      await frontier.addUrls(discoveredMany('a.example.com', 2));
      await nominated(frontier);
      const claimed = leasedUrl(await new HostRun(frontier, 'a.example.com').lease());
      const again = await until(async () => {
        const { hosts } = await askNextHosts(frontier);
        return hosts.length > 0 && hosts;
      });
      expect(again).toEqual([{ hostKey: 'a.example.com', why: 'overdue' }]);
      const later = new HostRun(frontier, 'a.example.com', { owner: owner(1) });
      expect(leasedUrl(await later.lease())).toBe(claimed);
    });

    it('renames a nominated host that nobody started', async () => {
      const frontier = await openCrawl(backEnd, {}, { nominatedMs: 50 });
      await frontier.addUrls(discoveredMany('a.example.com', 1));
      await nominated(frontier);
      const hosts = await until(async () => {
        const next = await askNextHosts(frontier);
        return next.hosts.length > 0 && next.hosts;
      });
      expect(hosts[0]).toEqual({ hostKey: 'a.example.com', why: 'overdue' });
    });
  });
}
