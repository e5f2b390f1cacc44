import { describe, expect, it } from 'vitest';
import {
  hostBackoffMs,
  parseHttpDate,
  parseRetryAfter,
  politeDelayMs,
} from '../../../src/fetch/politeness.js';

const NOW = Date.UTC(2026, 6, 1, 12, 0, 0);
const CAP = 86_400_000;

describe('parseRetryAfter', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['1.5', 1_500],
    ['31536000', CAP],
    ['99999999999999999999', CAP],
    ['Wed, 01 Jul 2026 12:01:00 GMT', 60_000],
    ['Wednesday, 01-Jul-26 12:01:00 GMT', 60_000],
    ['Wed Jul  1 12:01:00 2026', 60_000],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['Sun, 06 Nov 2033 08:49:37 GMT', CAP],
  ])('reads %s', (value, expectedMs) => {
    expect(parseRetryAfter(value, NOW, CAP)).toBe(expectedMs);
  });

  it.each([
    'soon',
    '',
    '-1',
    '1e9',
    '12 minutes',
    '0x10',
    'Wed, 01 Foo 2026 12:01:00 GMT',
    'Infinity',
  ])('takes %j for nonsense', (value) => {
    expect(parseRetryAfter(value, NOW, CAP)).toBeNull();
  });
});

describe('parseHttpDate', () => {
  it('reads all three forms as the same instant', () => {
    const instant = Date.UTC(1994, 10, 6, 8, 49, 37);
    expect(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT', NOW)).toBe(instant);
    expect(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT', NOW)).toBe(instant);
    expect(parseHttpDate('Sun Nov  6 08:49:37 1994', NOW)).toBe(instant);
  });

  it('refuses hours and days that no clock shows', () => {
    expect(parseHttpDate('Sun, 06 Nov 1994 24:49:37 GMT', NOW)).toBeNull();
    expect(parseHttpDate('Sun, 00 Nov 1994 08:49:37 GMT', NOW)).toBeNull();
  });
});

describe('hostBackoffMs', () => {
  it('starts at a minute, doubles, and stops at a day', () => {
    const middle = () => 0.5;
    expect([1, 2, 3, 4].map((n) => hostBackoffMs(n, middle))).toEqual([
      60_000, 120_000, 240_000, 480_000,
    ]);
    expect(hostBackoffMs(12, middle)).toBe(CAP);
    expect(hostBackoffMs(100_000, () => 0.999)).toBe(CAP);
    expect(hostBackoffMs(0, middle)).toBe(60_000);
  });

  it('spreads hosts by a fifth to either side', () => {
    expect(hostBackoffMs(1, () => 0)).toBe(48_000);
    expect(hostBackoffMs(1, () => 0.9999999)).toBe(72_000);
  });
});

describe('politeDelayMs', () => {
  const facts = {
    delayMs: 1_000,
    crawlDelayMs: null,
    maxDelayMs: 30_000,
    delayFactor: 0,
    lastFetchMs: null,
  };

  it('takes the largest of configured, Crawl-delay and factor', () => {
    expect(politeDelayMs(facts)).toEqual({ delayMs: 1_000, crawlDelayCut: false });
    expect(politeDelayMs({ ...facts, crawlDelayMs: 5_000 }).delayMs).toBe(5_000);
    expect(politeDelayMs({ ...facts, delayFactor: 10, lastFetchMs: 700 }).delayMs).toBe(7_000);
  });

  it('is never lowered by a small Crawl-delay', () => {
    expect(politeDelayMs({ ...facts, crawlDelayMs: 10 }).delayMs).toBe(1_000);
  });

  it('says when the ceiling cuts a Crawl-delay, and only then', () => {
    expect(politeDelayMs({ ...facts, crawlDelayMs: 600_000 })).toEqual({
      delayMs: 30_000,
      crawlDelayCut: true,
    });
    expect(politeDelayMs({ ...facts, delayMs: 900_000, crawlDelayMs: 600_000 })).toEqual({
      delayMs: 900_000,
      crawlDelayCut: false,
    });
  });

  it('bounds the factor by the ceiling, not the configured delay', () => {
    expect(politeDelayMs({ ...facts, delayFactor: 100, lastFetchMs: 60_000 }).delayMs).toBe(30_000);
    expect(politeDelayMs({ ...facts, delayMs: 45_000 }).delayMs).toBe(45_000);
  });
});
