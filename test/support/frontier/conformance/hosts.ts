/** Conformance: which hosts run, wait, rest (F1, F5, Q6). */
import { describe, expect, it } from 'vitest';
import { discovered, discoveredMany, owner } from '../builders.js';
import {
  askNextHosts,
  HostRun,
  leasedUrl,
  nominated,
  openCrawl,
  until,
  workOff,
  type BackEnd,
} from '../drive.js';

const HOST = 'a.example.com';
const HOUR_MS = 3_600_000;
const hostOf = async (frontier: Awaited<ReturnType<typeof openCrawl>>) =>
  (await frontier.hosts({ limit: 1 }))[0];

export function hostsConformance(backEnd: BackEnd): void {
  describe('hosts (F1, F5, Q6)', () => {
    it('nominates at most as many hosts as there are places, and the next when one is free', async () => {
      const frontier = await openCrawl(backEnd, { concurrency: 2 });
      await frontier.addUrls(['a', 'b', 'c'].map((name) => discovered(`${name}.example.com`, '')));
      const named = await nominated(frontier);
      expect(named).toHaveLength(2);
      expect(await nominated(frontier)).toEqual([]);
      await new HostRun(frontier, named[0]!).work();
      expect(await nominated(frontier)).toHaveLength(1);
    });

    it('names at most as many as are asked for', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(['a', 'b', 'c'].map((name) => discovered(`${name}.example.com`, '')));
      expect(await nominated(frontier, 2)).toHaveLength(2);
      expect(await nominated(frontier, 2)).toHaveLength(1);
    });

    it('tells a host that has no place so, and nominates it later with its lease back in the queue', async () => {
      const frontier = await openCrawl(backEnd, { concurrency: 1 });
      await frontier.addUrls([discovered('a.example.com', ''), discovered('b.example.com', '')]);
      const [placed] = await nominated(frontier);
      const other = placed === 'a.example.com' ? 'b.example.com' : 'a.example.com';
      expect(await new HostRun(frontier, other).lease()).toMatchObject({ status: 'noPlace' });
      expect((await frontier.status()).totals).toMatchObject({ pendingHosts: 1, leased: 0 });
      await new HostRun(frontier, placed!).work();
      expect(await nominated(frontier)).toEqual([other]);
    });

    it('keeps the place during a short wait and gives it up for a long one', async () => {
      const frontier = await openCrawl(backEnd, { concurrency: 1 });
      await frontier.addUrls([
        ...discoveredMany('a.example.com', 3),
        discovered('b.example.com', ''),
      ]);
      await nominated(frontier, 1);
      const run = new HostRun(frontier, 'a.example.com');
      const url = leasedUrl(await run.lease({ wait: { waitMs: 1000, reason: 'politeness' } }));
      expect(await hostOf(frontier)).toMatchObject({ state: 'waiting', reason: 'politeness' });
      expect(await nominated(frontier)).toEqual([]);
      const wait = { waitMs: 6 * HOUR_MS, reason: 'Retry-After' };
      const reply = await run.complete(url, 'retrying', { dueInMs: 0 }, { wait });
      expect(reply).toMatchObject({ status: 'wait', ...wait });
      const host = await hostOf(frontier);
      expect(host).toMatchObject({ state: 'waiting', reason: 'Retry-After', queued: 3 });
      expect(host!.nextAtMs! - Date.now()).toBeGreaterThan(5 * HOUR_MS);
      expect(await nominated(frontier)).toEqual(['b.example.com']);
      // Not overdue before the wait ends.
      expect((await frontier.status()).totals).toMatchObject({ runningHosts: 2, placedHosts: 1 });
      expect(await run.lease()).toMatchObject({ status: 'noPlace' });
    });

    it('does not wait for a host that has nothing left', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 1));
      const run = new HostRun(frontier, HOST);
      const url = leasedUrl(await run.lease());
      const wait = { waitMs: HOUR_MS, reason: 'host down' };
      expect(await run.complete(url, 'failed', {}, { wait })).toMatchObject({ status: 'idle' });
      expect(await askNextHosts(frontier)).toMatchObject({ isDone: true });
    });

    it('refuses a wait that is no number', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 1));
      const wait = { waitMs: Number.POSITIVE_INFINITY, reason: 'for ever' };
      await expect(new HostRun(frontier, HOST).lease({ wait })).rejects.toMatchObject({
        code: 'CONFIG_INVALID_OPTION',
      });
    });

    it('nominates a waiting host that is overdue', async () => {
      const frontier = await openCrawl(backEnd, {}, { leaseMs: 50 });
      await frontier.addUrls(discoveredMany(HOST, 1));
      await nominated(frontier);
      await new HostRun(frontier, HOST).lease({ wait: { waitMs: 50, reason: 'politeness' } });
      const found = await until(async () => {
        const { hosts } = await askNextHosts(frontier);
        return hosts.length > 0 && hosts;
      });
      expect(found).toEqual([{ hostKey: HOST, why: 'overdue' }]);
    });

    it('queues at a host in every state, and nominates it exactly when nobody runs it', async () => {
      const frontier = await openCrawl(backEnd);
      const run = new HostRun(frontier, HOST);
      let n = 0;
      const add = () => frontier.addUrls([discovered(HOST, `late${(n += 1)}`)]);
      await add(); // pending
      await add();
      expect(await nominated(frontier)).toEqual([HOST]);
      await add(); // nominated
      expect(await nominated(frontier)).toEqual([]);
      const url = leasedUrl(await run.lease());
      await add(); // active
      expect(await nominated(frontier)).toEqual([]);
      await run.complete(url, 'retrying', {}, { wait: { waitMs: HOUR_MS, reason: 'host down' } });
      await add(); // waiting
      expect(await nominated(frontier)).toEqual([]);
      expect((await run.work()).urls).toHaveLength(5);
      expect(await nominated(frontier)).toEqual([]);
      await add(); // idle
      expect(await nominated(frontier)).toEqual([HOST]);
      expect((await run.work()).urls).toHaveLength(1);
      await add();
      await run.lease({ block: 'gone' });
      await add(); // blocked, being drained
      const items = await frontier.drainHost(run.claim, [], 10);
      expect(await frontier.drainHost(run.claim, items, 10)).toEqual([]);
      await add(); // blocked
      expect(await nominated(frontier)).toEqual([HOST]);
      expect(await run.lease()).toMatchObject({ status: 'blocked', reason: 'gone' });
    });

    it('parks every host of a paused crawl with its work, and nominates it after the pause', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 3));
      await nominated(frontier);
      const run = new HostRun(frontier, HOST);
      const url = leasedUrl(await run.lease());
      await frontier.setState('paused');
      expect(await run.complete(url)).toMatchObject({ status: 'paused' });
      expect(await run.lease()).toMatchObject({ status: 'paused' });
      expect(await hostOf(frontier)).toMatchObject({ state: 'paused', queued: 2, leasedUrl: null });
      expect(await frontier.liveHosts({ limit: 10 })).toEqual([HOST]);
      await frontier.addUrls([discovered(HOST, 'late')]);
      expect(await askNextHosts(frontier)).toMatchObject({ hosts: [], isDone: false });
      await frontier.setState('running');
      expect(await workOff(frontier, { turn: 2 })).toHaveLength(3);
      expect((await frontier.status()).totals).toMatchObject({ fetched: 4, outstanding: 0 });
    });

    it('stops: hosts leave with their work kept, and it is done when none runs', async () => {
      const frontier = await openCrawl(backEnd);
      await frontier.addUrls(discoveredMany(HOST, 3));
      await nominated(frontier);
      const run = new HostRun(frontier, HOST);
      await run.lease();
      await frontier.setState('stopping', 'stopped');
      expect(await askNextHosts(frontier)).toMatchObject({
        isDone: false,
        finishReason: 'stopped',
      });
      expect(await run.lease()).toMatchObject({ status: 'stopped', state: 'stopping' });
      expect(await askNextHosts(frontier)).toMatchObject({ isDone: true, hosts: [] });
      await frontier.setState('finished');
      await frontier.setState('running');
      expect(await workOff(frontier, { turn: 2 })).toHaveLength(3);
    });

    it('parks a host whose parent is silent, and a parent that is back nominates it', async () => {
      const frontier = await openCrawl(backEnd, {}, { parentSilentMs: 50 });
      await frontier.addUrls([...discoveredMany(HOST, 2), discovered('b.example.com', '')]);
      await nominated(frontier);
      await new HostRun(frontier, 'b.example.com').lease({
        wait: { waitMs: HOUR_MS, reason: 'down' },
      });
      const parked = await until(async () => {
        const reply = await new HostRun(frontier, HOST).lease();
        return reply.status === 'paused' && reply;
      });
      expect(parked.reason).toBe('parentSilent');
      // The other host still waits, so that nothing but its place in line brings this one back.
      expect(await askNextHosts(frontier, { owner: owner(3) })).toMatchObject({
        hosts: [{ hostKey: HOST, why: 'pending' }],
      });
    });

    it('pages through hosts and through those that may be alive', async () => {
      const frontier = await openCrawl(backEnd);
      const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.example.com`);
      await frontier.addUrls(names.map((name) => discovered(name, '')));
      const page = await frontier.hosts({ limit: 2 });
      const next = await frontier.hosts({ after: page[1]!.hostKey, limit: 9 });
      expect([...page, ...next].map((host) => host.hostKey)).toEqual(names);
      expect(await frontier.liveHosts({ limit: 9 })).toEqual([]);
      await nominated(frontier, 3);
      const live = await frontier.liveHosts({ limit: 2 });
      expect(live).toHaveLength(2);
      expect(await frontier.liveHosts({ after: live[1]!, limit: 9 })).toHaveLength(1);
    });
  });
}
