import { describe, expect, it } from 'vitest';
import type { TurnResult } from '../../../src/contracts/activities.js';
import { afterTurn, duringTurn, newHostProgress } from '../../../src/workflows/host-state.js';

const NOW = Date.UTC(2026, 0, 1);

const turnResult = (changes: Partial<TurnResult> = {}): TurnResult => ({
  status: 'more',
  waitMs: 0,
  reason: null,
  nextUrl: null,
  queued: 0,
  counts: { fetched: 0, redirected: 0, skipped: 0, failed: 0, retried: 0, bytes: 0 },
  lastUrl: null,
  lastOutcome: null,
  ...changes,
});

describe('progress of a host', () => {
  it('adds up what its turns did', () => {
    const counts = { fetched: 2, redirected: 1, skipped: 3, failed: 4, retried: 5, bytes: 600 };
    const one = afterTurn(newHostProgress('a.test'), turnResult({ counts, queued: 9 }), NOW);
    const two = afterTurn(one, turnResult({ counts }), NOW);
    expect(two).toMatchObject({
      ...{ fetched: 4, redirected: 2, skipped: 6, failed: 8, retried: 10, bytes: 1200 },
      ...{ turns: 2, queued: 0 },
    });
  });

  it.each([
    ['more', 0, 'active'],
    ['more', 1000, 'waiting'],
    ['wait', 1000, 'waiting'],
    ['idle', 0, 'idle'],
    ['noPlace', 0, 'pending'],
    ['exhausted', 0, 'exhausted'],
    ['paused', 0, 'paused'],
    ['blocked', 0, 'blocked'],
    ['stopped', 0, 'idle'],
    ['fenced', 0, 'active'],
  ] as const)(
    'a turn that ends in %s after a wait of %i ms leaves it %s',
    (status, waitMs, state) => {
      expect(afterTurn(newHostProgress('a.test'), turnResult({ status, waitMs }), NOW).state).toBe(
        state,
      );
    },
  );

  it('tells when the next request comes, and why not yet', () => {
    const result = turnResult({ waitMs: 1500, reason: 'crawl delay', nextUrl: 'http://a.test/2' });
    expect(afterTurn(newHostProgress('a.test'), result, NOW)).toMatchObject({
      nextAt: '2026-01-01T00:00:01.500Z',
      nextUrl: 'http://a.test/2',
      reason: 'crawl delay',
    });
  });

  it('keeps the last page over a turn without one', () => {
    const page = turnResult({ lastUrl: 'http://a.test/1', lastOutcome: 'fetched' });
    const one = afterTurn(newHostProgress('a.test'), page, NOW);
    expect(afterTurn(one, turnResult({ status: 'idle' }), NOW)).toMatchObject({
      lastUrl: 'http://a.test/1',
      lastOutcome: 'fetched',
    });
  });

  it('has no wait while a turn runs, and keeps what it is about to fetch', () => {
    const result = turnResult({ waitMs: 1, reason: 'crawl delay', nextUrl: 'http://a.test/2' });
    const waiting = afterTurn(newHostProgress('a.test'), result, NOW);
    expect(duringTurn(waiting)).toMatchObject({
      ...{ state: 'active', nextAt: null, reason: null, nextUrl: 'http://a.test/2' },
    });
  });
});
