import { describe, expect, it } from 'vitest';
import { turnPace } from '../../../src/activities/turn-pace.js';

const settings = {
  delayMs: 1000,
  delayFactor: 1,
  maxDelayMs: 60_000,
  turn: { maxPages: 20, maxMs: 10_000, maxPerSecond: 50 },
};

describe('turnPace (C2)', () => {
  it('makes one request a turn and a durable wait from one second on', () => {
    expect(turnPace(settings, null, 1)).toMatchObject({ isDurable: true, patienceMs: 0 });
    expect(turnPace({ ...settings, delayMs: 999 }, null, 1)).toMatchObject({
      isDurable: false,
      patienceMs: 1999,
    });
  });

  it('takes the larger of the configured delay and Crawl-delay, the latter up to the ceiling', () => {
    expect(turnPace(settings, 5000, 1).delayMs).toBe(5000);
    expect(turnPace(settings, 10, 1).delayMs).toBe(1000);
    expect(turnPace(settings, 3_600_000, 1).delayMs).toBe(60_000);
  });

  it('says aloud where the ceiling makes a host wait less than it asks for', () => {
    expect(turnPace(settings, 60_000, 1).delayReason).toBe('crawl delay');
    expect(turnPace(settings, 3_600_000, 1).delayReason).toBe(
      'crawl delay (robots.txt asks for 3600 s, maxDelayMs allows 60 s)',
    );
  });

  it('lengthens turns when hosts are too many for one turn a page, and keeps the delay', () => {
    expect(turnPace(settings, null, 50).isDurable).toBe(true);
    expect(turnPace(settings, null, 51)).toMatchObject({ isDurable: false, delayMs: 1000 });
    expect(turnPace(settings, null, 1000).turnMaxMs).toBe(20_000);
    expect(turnPace({ ...settings, delayMs: 30_000 }, null, 1000).isDurable).toBe(true);
  });

  it('does not lengthen turns past a minute', () => {
    expect(turnPace(settings, null, 1_000_000)).toMatchObject({ turnMaxMs: 60_000 });
    expect(turnPace({ ...settings, delayMs: 60_000 }, null, 1_000_000).isDurable).toBe(true);
  });
});
