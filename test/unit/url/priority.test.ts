import { describe, expect, it } from 'vitest';
import { priorityLevel } from '../../../src/url/priority.js';

const url = 'http://h.example/docs/a';

describe('priorityLevel', () => {
  it('puts depth first: four levels a hop, all past 63 hops alike', () => {
    expect([0, 1, 2, 63, 64, 1_000].map((depth) => priorityLevel(depth, url, []))).toEqual([
      0, 4, 8, 252, 255, 255,
    ]);
  });

  it('lifts and lowers by all boosts that match, within bounds', () => {
    const boosts = [
      { pattern: '*/docs/*', boost: 3 },
      { pattern: '/a$/', boost: 2 },
      { pattern: '*/blog/*', boost: 100 },
    ];
    expect(priorityLevel(2, url, boosts)).toBe(3);
    expect(priorityLevel(0, url, boosts)).toBe(0);
    expect(priorityLevel(1, url, [{ pattern: '*', boost: -10 }])).toBe(14);
    expect(priorityLevel(1, url, [{ pattern: '*', boost: -999 }])).toBe(255);
  });

  it('refuses a pattern that is none', () => {
    expect(() => priorityLevel(0, url, [{ pattern: '/(/', boost: 1 }])).toThrow(/^priorities: /);
  });
});
