/** The gate in Redis passes its suite; its keys go when nobody's delay can need them. */
import { afterAll, describe, expect, inject, it } from 'vitest';
import { RedisGate } from '../../../src/frontier/gate.js';
import { gateKey } from '../../../src/frontier/keys.js';
import { connectRedis } from '../../../src/redis/connection.js';
import { doubledRedis, type Repetitions } from '../../support/frontier/doubled-redis.js';
import { asker, gateConformance } from '../../support/frontier/gate-conformance.js';

const redis = connectRedis(inject('redisUrl'));
afterAll(() => redis.quit());

const HOUR_MS = 3_600_000;
const repetitions: Repetitions = { seen: new Set(), faults: [] };

gateConformance('Redis', (holdMs) => new RedisGate(redis, holdMs === undefined ? {} : { holdMs }));

gateConformance('Redis, every reply lost once', (holdMs) => {
  const doubled = doubledRedis(redis, 'ow:gate:*', repetitions);
  return new RedisGate(doubled, holdMs === undefined ? {} : { holdMs });
});

describe('a lost reply of the gate, retried', () => {
  it('was tried with every script and status', () => {
    expect([...repetitions.seen].sort()).toEqual([
      ...['gate-ask: granted', 'gate-ask: wait', 'gate-release: lost', 'gate-release: ok'],
      ...['gate-renew: lost', 'gate-renew: ok'],
    ]);
  });

  it('changes nothing', () => {
    expect(repetitions.faults.slice(0, 10)).toEqual([]);
  });
});

describe('keys of gates', () => {
  const gate = new RedisGate(redis);
  const ttl = (hostKey: string) => redis.pttl(gateKey(hostKey));

  it('expire a day and some after the last asker', async () => {
    const who = asker();
    await gate.ask(who);
    expect(await ttl(who.hostKey)).toBeGreaterThan(24 * HOUR_MS);
    await gate.ask({ ...who, holder: 'other', crawlId: 'other' });
    await gate.renew(who);
    await gate.release(who, { durationMs: 1 });
    expect(await ttl(who.hostKey)).toBeGreaterThan(24 * HOUR_MS);
    expect(await ttl(who.hostKey)).toBeLessThanOrEqual(25 * HOUR_MS);
  });

  it('outlive what the host asked for, whoever asks meanwhile', async () => {
    const who = asker();
    await gate.ask(who);
    await gate.release(who, { durationMs: 1, notBeforeMs: 100 * HOUR_MS });
    const other = { ...who, holder: 'other', crawlId: 'other' };
    expect(await gate.ask(other)).toMatchObject({ reason: 'notBefore' });
    expect(await ttl(who.hostKey)).toBeGreaterThan(124 * HOUR_MS);
  });

  it('are made by no renewal of a holder that never held', async () => {
    const who = asker();
    await gate.ask(who);
    await gate.release(who, { durationMs: 1 });
    expect(await gate.renew({ ...who, holder: 'stranger' })).toBeNull();
  });
});
