/** The suite of the gate, written against the interface: one clock for each host (F2). */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Gate, GateAsker, GateReply } from '../../../src/contracts/gate.js';

/** A back end of the gate: `holdMs` is how long a grant lasts unless renewed. */
export type MakeGate = (holdMs?: number) => Gate;

/** An asker of a host that no other test asks for. */
export function asker(changes: Partial<GateAsker> = {}): GateAsker {
  return {
    hostKey: `${randomUUID()}.example.com`,
    crawlId: 'one',
    holder: randomUUID(),
    delayMs: 0,
    delayFactor: 0,
    maxFactorMs: 60_000,
    ...changes,
  };
}

/** Ask until granted. @returns ms that it took */
export async function granted(gate: Gate, who: GateAsker): Promise<number> {
  const askedAt = performance.now();
  for (;;) {
    const reply = await gate.ask(who);
    if (reply.status === 'granted') return performance.now() - askedAt;
    await delay(reply.waitMs);
  }
}

const waitOf = (reply: GateReply): number => {
  if (reply.status !== 'wait') throw new Error('granted');
  return reply.waitMs;
};

export function gateConformance(name: string, makeGate: MakeGate): void {
  describe(`a gate: ${name} (F2)`, () => {
    let gate: Gate;
    beforeAll(() => {
      gate = makeGate();
    });

    it('lets one in at a time', async () => {
      const first = asker();
      const second = asker({ hostKey: first.hostKey, crawlId: 'two' });
      const reply = await gate.ask(first);
      expect(reply.status === 'granted' && reply.heldUntilMono).toBeGreaterThan(performance.now());
      expect(await gate.ask(second)).toMatchObject({ status: 'wait', reason: 'held' });
      await gate.release(first, { durationMs: 5 });
      expect(await gate.ask(second)).toMatchObject({ status: 'granted' });
    });

    it('grants the holder again, as after a lost reply', async () => {
      const who = asker({ delayMs: 60_000 });
      await gate.ask(who);
      expect(await gate.ask(who)).toMatchObject({ status: 'granted' });
    });

    it('knows hosts apart', async () => {
      await gate.ask(asker());
      expect(await gate.ask(asker())).toMatchObject({ status: 'granted' });
    });

    it('makes each asker wait its own delay from the end of the last request', async () => {
      const slow = asker({ delayMs: 60_000 });
      const quick = { ...slow, crawlId: 'two', holder: 'two', delayMs: 30_000 };
      await gate.ask(slow);
      await gate.release(slow, { durationMs: 5 });
      const waits = [waitOf(await gate.ask(slow)), waitOf(await gate.ask(quick))];
      expect(waits[0]).toBeGreaterThan(59_000);
      expect(waits[0]).toBeLessThanOrEqual(60_001);
      expect(waits[1]).toBeGreaterThan(29_000);
      expect(waits[1]).toBeLessThanOrEqual(30_001);
    });

    it('stretches the delay with the duration of the last request, up to its ceiling', async () => {
      const who = asker({ delayMs: 100, delayFactor: 10, maxFactorMs: 40_000 });
      await gate.ask(who);
      await gate.release(who, { durationMs: 3000.4 });
      expect(waitOf(await gate.ask(who))).toBeGreaterThan(29_000);
      expect(waitOf(await gate.ask({ ...who, delayFactor: 100 }))).toBeLessThanOrEqual(40_001);
      expect(waitOf(await gate.ask({ ...who, delayFactor: 100 }))).toBeGreaterThan(39_000);
    });

    it('takes a holder that vanished for a request that ended when its hold did', async () => {
      const short = makeGate(300);
      const gone = asker({ delayMs: 400 });
      const heir = { ...gone, holder: 'heir' };
      const grantedAt = performance.now();
      await short.ask(gone);
      await granted(short, heir);
      expect(performance.now() - grantedAt).toBeGreaterThanOrEqual(700);
    });

    it('holds on while it is renewed, and says when it is lost', async () => {
      const short = makeGate(400);
      const who = asker();
      const other = { ...who, holder: 'other', crawlId: 'two' };
      await short.ask(who);
      const askedAt = performance.now();
      while (performance.now() - askedAt < 900) {
        expect(await short.renew(who)).toBeGreaterThan(performance.now() - 400);
        expect(await short.ask(other)).toMatchObject({ status: 'wait', reason: 'held' });
        await delay(50);
      }
      await granted(short, other);
      expect(await short.renew(who)).toBeNull();
      await short.release(who, { durationMs: 1 });
      expect(await short.renew(other)).not.toBeNull();
    });

    it('changes nothing when a release is repeated, also after somebody else was let in', async () => {
      const who = asker();
      const other = { ...who, holder: 'other', crawlId: 'two' };
      await gate.ask(who);
      await gate.release(who, { durationMs: 1 });
      await gate.release(who, { durationMs: 999_999 });
      // Ten times the last duration: that of the first release, not the repeated one.
      expect(await granted(gate, { ...other, delayFactor: 10 })).toBeLessThan(5000);
      await gate.release(who, { durationMs: 1 });
      expect(await gate.ask({ ...who, crawlId: 'three', holder: 'three' })).toMatchObject({
        reason: 'held',
      });
    });

    it('leaves a host alone for as long as it asked, whatever crawl comes', async () => {
      const who = asker();
      const other = { ...who, holder: 'other', crawlId: 'two' };
      await gate.ask(who);
      await gate.release(who, { durationMs: 1, notBeforeMs: 60_000 });
      const reply = await gate.ask(other);
      expect(reply).toMatchObject({ status: 'wait', reason: 'notBefore' });
      expect(waitOf(reply)).toBeGreaterThan(59_000);
    });

    it('hears what the host asked for also from a holder that lost the gate', async () => {
      const short = makeGate(50);
      const late = asker();
      const heir = { ...late, holder: 'heir' };
      await short.ask(late);
      await granted(short, heir);
      await short.release(late, { durationMs: 1, notBeforeMs: 60_000 });
      await short.release(heir, { durationMs: 1 });
      expect(await short.ask(heir)).toMatchObject({ reason: 'notBefore' });
    });

    it('never shortens what the host asked for', async () => {
      const who = asker();
      await gate.ask(who);
      await gate.release(who, { durationMs: 1, notBeforeMs: 60_000 });
      const other = { ...who, holder: 'b' };
      expect(waitOf(await gate.ask(other))).toBeGreaterThan(59_000);
      await gate.release(other, { durationMs: 1, notBeforeMs: 10 });
      expect(waitOf(await gate.ask(other))).toBeGreaterThan(59_000);
    });

    it('lets waiting crawls in by turns, though others ask more often', async () => {
      const host = asker().hostKey;
      const crawls = ['one', 'two', 'three'].map((crawlId) => asker({ hostKey: host, crawlId }));
      const order: string[] = [];
      // The first asks again right after each release; the others only after it.
      for (let n = 0; n < 30; n += 1) {
        for (const who of crawls) {
          const reply = await gate.ask(who);
          if (reply.status === 'wait') continue;
          order.push(who.crawlId);
          for (const other of crawls) if (other !== who) await gate.ask(other);
          await gate.release(who, { durationMs: 1 });
        }
      }
      for (const { crawlId } of crawls) {
        const share = order.filter((id) => id === crawlId).length / order.length;
        expect(share).toBeGreaterThan(0.3);
        expect(share).toBeLessThan(0.37);
      }
    });

    it('does not wait for ever for a crawl that stood in line and went away', async () => {
      const who = asker();
      await gate.ask(who);
      expect(await gate.ask({ ...who, crawlId: 'gone', holder: 'gone' })).toMatchObject({
        reason: 'held',
      });
      await gate.release(who, { durationMs: 1 });
      expect(await gate.ask(who)).toMatchObject({ status: 'wait', reason: 'yield' });
      expect(await granted(gate, who)).toBeLessThan(4000);
    });
  });
}
