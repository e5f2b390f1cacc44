import { describe, expect, it } from 'vitest';
import { createHostRing } from '../../../src/url/host-ring.js';

const workers = (count: number) => Array.from({ length: count }, (_, i) => `worker-${i}`);
const keys = Array.from({ length: 2_000 }, (_, i) => `site-${i}.example.com`);

function shares(names: string[], virtualNodes?: number): number[] {
  const ring = createHostRing(names, virtualNodes);
  return names.map((name) => keys.filter((key) => ring.shardOf(key) === name).length);
}

function movedPercent(from: string[], to: string[]): number {
  const a = createHostRing(from);
  const b = createHostRing(to);
  return (keys.filter((key) => a.shardOf(key) !== b.shardOf(key)).length / keys.length) * 100;
}

describe('createHostRing (R2, R3, R4, R5)', () => {
  it('shares 2,000 keys among four workers as the published algorithm does', () => {
    expect(shares(workers(4), 150)).toEqual([560, 466, 493, 481]);
    expect(shares(workers(4), 1)).toEqual([633, 2, 477, 888]);
  });

  it('moves 20.85 % of the keys to a fifth worker and 24.05 % from a lost fourth', () => {
    expect(movedPercent(workers(4), workers(5))).toBeCloseTo(20.85, 10);
    expect(movedPercent(workers(4), workers(3))).toBeCloseTo(24.05, 10);
  });

  it('moves keys only to the new shard', () => {
    const before = createHostRing(workers(4));
    const after = createHostRing(workers(5));
    const moved = keys.filter((key) => before.shardOf(key) !== after.shardOf(key));
    expect(new Set(moved.map((key) => after.shardOf(key)))).toEqual(new Set(['worker-4']));
  });

  it.each([4, 16, 64])('keeps the largest of %i shares under twice the average', (count) => {
    expect(Math.max(...shares(workers(count)))).toBeLessThan((2 * keys.length) / count);
  });

  it('does not depend on the order of names, and its id tells rings apart', () => {
    const ring = createHostRing(['a', 'b', 'c']);
    const other = createHostRing(['c', 'a', 'b']);
    expect(keys.map(other.shardOf)).toEqual(keys.map(ring.shardOf));
    expect(other.id).toBe(ring.id);
    expect(createHostRing(['a', 'b']).id).not.toBe(ring.id);
    expect(createHostRing(['a', 'b', 'c'], 151).id).not.toBe(ring.id);
  });

  it('sends everything to a single shard', () => {
    expect(shares(['only'])).toEqual([2_000]);
  });

  it.each([
    [[], 150, 'at least one'],
    [['a', 'a'], 150, 'each shard once'],
    [['a'], 0, '1 or more'],
  ])('refuses %j with %i virtual nodes', (names, virtualNodes, why) => {
    expect(() => createHostRing(names, virtualNodes)).toThrow(why);
  });
});
