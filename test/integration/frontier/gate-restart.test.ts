/** A restarted Redis may have forgotten its last second: the gate allows for that. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisGate } from '../../../src/frontier/gate.js';
import { gateKey } from '../../../src/frontier/keys.js';
import { connectRedis, type Redis } from '../../../src/redis/connection.js';
import { asker, granted } from '../../support/frontier/gate-conformance.js';
import { freshRedis } from '../../support/servers.js';

const HOLD_MS = 2000;

describe('a gate after Redis was killed and restarted (F2, F9)', () => {
  let server: Awaited<ReturnType<typeof freshRedis>>;
  let redis: Redis;
  let gate: RedisGate;
  beforeAll(async () => {
    server = await freshRedis();
    redis = connectRedis(server.url);
    gate = new RedisGate(redis, { holdMs: HOLD_MS });
  });
  afterAll(async () => {
    redis.disconnect();
    await server.dispose();
  });
  /** @returns when the new process was known to run, on this process's clock */
  const killAndRestart = async (): Promise<number> => {
    await server.kill('SIGKILL');
    await server.restart();
    const restartedAt = performance.now();
    await redis.ping();
    return restartedAt;
  };

  it('lets everybody in at once as long as its first process lives', async () => {
    expect(await gate.ask(asker({ delayMs: 60_000 }))).toMatchObject({ status: 'granted' });
  });

  it('adds a hold and a delay for a host that it may have forgotten', async () => {
    const known = asker({ delayMs: 300 });
    await gate.ask(known);
    await gate.release(known, { durationMs: 1 });
    const killedAt = performance.now();
    await killAndRestart();
    const never = asker();
    for (const who of [known, never]) {
      const reply = await gate.ask(who);
      expect(reply).toMatchObject({ status: 'wait', reason: 'restarted' });
    }
    await granted(gate, never);
    expect(performance.now() - killedAt).toBeGreaterThanOrEqual(HOLD_MS);
    const later = asker();
    expect(await gate.ask(later)).toMatchObject({ status: 'granted' });
    expect(await gate.ask({ ...later, delayMs: 60_000, holder: 'b' })).toMatchObject({
      status: 'wait',
    });
  });

  it('adds the whole of a long delay, counted from the restart', async () => {
    await killAndRestart();
    const reply = await gate.ask(asker({ delayMs: 60_000 }));
    expect(reply.status === 'wait' && reply.waitMs).toBeGreaterThan(55_000);
  });

  it('gives a living holder that it forgot its hold back, and counts its end', async () => {
    const holder = asker({ delayMs: 500 });
    const other = { ...holder, holder: 'other', crawlId: 'other' };
    await gate.ask(holder);
    await redis.del(gateKey(holder.hostKey));
    await killAndRestart();
    expect(await gate.renew(holder)).not.toBeNull();
    const renewedAt = performance.now();
    while (performance.now() - renewedAt < HOLD_MS * 1.5) {
      expect(await gate.ask(other)).toMatchObject({ status: 'wait' });
      expect(await gate.renew(holder)).not.toBeNull();
      await delay(100);
    }
    const releasedAt = performance.now();
    await gate.release(holder, { durationMs: 1 });
    await granted(gate, other);
    expect(performance.now() - releasedAt).toBeGreaterThanOrEqual(500);
  });

  it('counts the end of a request of which it has forgotten the start', async () => {
    const holder = asker({ delayMs: 60_000 });
    await gate.ask(holder);
    await redis.del(gateKey(holder.hostKey));
    await killAndRestart();
    await delay(1100);
    await gate.release(holder, { durationMs: 1, notBeforeMs: 90_000 });
    const reply = await gate.ask({ ...holder, holder: 'other' });
    expect(reply).toMatchObject({ status: 'wait', reason: 'notBefore' });
  });

  it('gives no hold back that somebody else has by now', async () => {
    const holder = asker();
    const other = { ...holder, holder: 'other', crawlId: 'other' };
    await gate.ask(holder);
    await redis.del(gateKey(holder.hostKey));
    await killAndRestart();
    await granted(gate, other);
    expect(await gate.renew(holder)).toBeNull();
  });
});
