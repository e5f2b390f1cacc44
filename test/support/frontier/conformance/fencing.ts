/** Conformance: who is older can neither complete nor lease nor drain. */
import { describe, expect, it } from 'vitest';
import type { Claim } from '../../../../src/contracts/frontier.js';
import { discoveredMany, owner } from '../builders.js';
import { askNextHosts, HostRun, leasedUrl, nominated, openCrawl, type BackEnd } from '../drive.js';

const HOST = 'a.example.com';
const LIVING: Partial<Claim> = { owner: owner(5), turn: 3, attempt: 2 };

export function fencingConformance(backEnd: BackEnd): void {
  describe('fenced zombies (Q3)', () => {
    const ZOMBIES: [string, Partial<Claim>][] = [
      ['an older owner', { ...LIVING, owner: owner(4), turn: 9, attempt: 9 }],
      ['an older turn', { ...LIVING, turn: 2, attempt: 7 }],
      ['an older attempt', { ...LIVING, attempt: 1 }],
    ];
    it.each(ZOMBIES)(
      '%s can neither complete nor lease nor block nor drain',
      async (_name, zombie) => {
        const frontier = await openCrawl(backEnd);
        await frontier.addUrls(discoveredMany(HOST, 3));
        await nominated(frontier);
        const living = new HostRun(frontier, HOST, LIVING);
        const url = leasedUrl(await living.lease());
        const before = await frontier.status();
        const old = new HostRun(frontier, HOST, zombie);
        const fenced = { status: 'fenced', owner: LIVING.owner, turn: LIVING.turn };
        expect(await old.lease()).toMatchObject(fenced);
        expect(await old.complete(url)).toMatchObject(fenced);
        expect(await old.complete(url, 'released')).toMatchObject(fenced);
        expect(await old.lease({ block: 'zombie' })).toMatchObject(fenced);
        expect(await old.lease({ wait: { waitMs: 3_600_000, reason: 'zombie' } })).toMatchObject(
          fenced,
        );
        expect(await old.hostOutcome('failure')).toMatchObject(fenced);
        expect(await frontier.drainHost(old.claim, [], 10)).toEqual([]);
        expect(await frontier.status()).toEqual(before);
        expect(leasedUrl(await living.lease())).toBe(url);
      },
    );

    it('lets a zombie that completed as it was overtaken count once', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 2));
      const zombie = new HostRun(frontier, HOST);
      const first = leasedUrl(await zombie.lease());
      const living = new HostRun(frontier, HOST, { attempt: 2 });
      expect(leasedUrl(await living.lease())).toBe(first);
      expect(await zombie.complete(first)).toMatchObject({ status: 'fenced' });
      expect(leasedUrl(await living.complete(first))).not.toBe(first);
      expect((await frontier.status()).totals.fetched).toBe(1);
    });

    it('fences a drain by whoever is older', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 3));
      await new HostRun(frontier, HOST).lease({ block: 'gone' });
      const living = new HostRun(frontier, HOST, { turn: 2 });
      const items = await frontier.drainHost(living.claim, [], 10);
      expect(items).toHaveLength(3);
      const zombie = new HostRun(frontier, HOST);
      expect(await frontier.drainHost(zombie.claim, items, 10)).toEqual([]);
      expect((await frontier.status()).totals).toMatchObject({ failed: 0, outstanding: 3 });
    });

    it('records a repeated step once, also when its lease is another by now', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 3));
      const { claim } = new HostRun(frontier, HOST);
      const first = leasedUrl(await frontier.completeAndLease({ claim }));
      const step = {
        claim,
        seq: 1,
        completion: { url: first, outcome: 'fetched', bytes: 7 },
      } as const;
      const second = leasedUrl(await frontier.completeAndLease(step));
      expect(leasedUrl(await frontier.completeAndLease(step))).toBe(second);
      expect((await frontier.status()).totals).toMatchObject({ fetched: 1, bytes: 7, leased: 1 });
    });

    it('records nothing for a URL that is not the leased one', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 2));
      const run = new HostRun(frontier, HOST);
      const url = leasedUrl(await run.lease());
      expect(leasedUrl(await run.complete('https://a.example.com/other'))).toBe(url);
      expect((await frontier.status()).totals).toMatchObject({ fetched: 0, outstanding: 2 });
    });

    it('refuses a step that records something without a number', async () => {
      const frontier = await openCrawl(backEnd);
      const { claim } = new HostRun(frontier, HOST);
      const completion = { url: 'https://a.example.com/', outcome: 'fetched' } as const;
      await expect(frontier.completeAndLease({ claim, completion })).rejects.toMatchObject({
        code: 'CONFIG_INVALID_OPTION',
      });
    });

    it('lets a later parent win over an older one', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 1));
      expect(await askNextHosts(frontier, { owner: owner(7), max: 0 })).toMatchObject({
        isFenced: false,
      });
      expect(await askNextHosts(frontier, { owner: owner(6) })).toMatchObject({
        isFenced: true,
        hosts: [],
        isDone: false,
      });
      const later = await askNextHosts(frontier, { owner: owner(8) });
      expect(later.hosts).toHaveLength(1);
      expect(await askNextHosts(frontier, { owner: owner(7) })).toMatchObject({ isFenced: true });
    });

    it('counts how the host answered: failures in a row, forgiven by a success', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 2));
      const run = new HostRun(frontier, HOST);
      await run.lease();
      await run.hostOutcome('failure');
      expect(await run.hostOutcome('failure')).toMatchObject({ status: 'lease', hostFailures: 2 });
      const later = new HostRun(frontier, HOST, { turn: 2 });
      const still = await later.lease();
      expect(still).toMatchObject({ hostFailures: 2 });
      expect(still.status === 'lease' && still.failingForMs).toBeGreaterThanOrEqual(0);
      expect(await later.hostOutcome('ok')).toMatchObject({ hostFailures: 0, failingForMs: 0 });
    });
  });
}
