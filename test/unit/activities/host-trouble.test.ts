import { describe, expect, it } from 'vitest';
import {
  isHostBusy,
  judgeTrouble,
  urlRetryMs,
  type TroubleFacts,
} from '../../../src/activities/host-trouble.js';

const MINUTE = 60_000;
const half = () => 0.5;
const facts = (changes: Partial<TroubleFacts> = {}): TroubleFacts => ({
  what: 'FETCH_CONNECT',
  kind: 'transport',
  failures: 1,
  failingForMs: 0,
  retryAfterMs: null,
  maxTries: null,
  delayMs: 0,
  hostPatienceMs: 15 * MINUTE,
  ...changes,
});

describe('a host in trouble', () => {
  it.each([
    [1, 0, 1000],
    [2, 0, 2000],
    [1, 5000, 5000],
    [2, 90_000, 90_000],
  ])(
    'failure %i at a delay of %i ms fails the activity, retried after %i ms (C3)',
    (failures, delayMs, retryMs) => {
      expect(judgeTrouble(facts({ failures, delayMs }), half)).toEqual({
        action: 'retry',
        retryMs,
      });
    },
  );

  it.each([
    [3, 0, 60_000],
    [4, 0, 120_000],
    [5, 0, 240_000],
    [3, 10 * MINUTE, 10 * MINUTE],
  ])('failure %i at a delay of %i ms rests the host for %i ms', (failures, delayMs, waitMs) => {
    expect(judgeTrouble(facts({ failures, delayMs }), half)).toEqual({
      ...{ action: 'rest', waitMs, reason: 'FETCH_CONNECT' },
    });
  });

  it('a busy answer without Retry-After lets other pages go first, then rests the host', () => {
    const busy = (failures: number) => judgeTrouble(facts({ kind: 'busy', failures }), half);
    expect(busy(1)).toEqual({ action: 'goOn', dueInMs: 5000 });
    expect(busy(2)).toEqual({ action: 'goOn', dueInMs: 10_000 });
    expect(busy(3)).toMatchObject({ action: 'rest', waitMs: MINUTE });
  });

  it('Retry-After is obeyed from the first time on, and never under the delay', () => {
    const asked = (retryAfterMs: number, delayMs = 0) =>
      judgeTrouble(facts({ kind: 'busy', retryAfterMs, delayMs }), half);
    expect(asked(7000)).toMatchObject({ action: 'rest', waitMs: 7000 });
    expect(asked(0, 1000)).toMatchObject({ action: 'rest', waitMs: 1000 });
  });

  it('Retry-After of nothing is a second at first, and the ordinary rest from the third time on', () => {
    const asked = (failures: number, retryAfterMs: number) =>
      judgeTrouble(facts({ kind: 'busy', retryAfterMs, failures }), half);
    expect(asked(1, 0)).toMatchObject({ action: 'rest', waitMs: 1000 });
    expect(asked(3, 0)).toMatchObject({ action: 'rest', waitMs: MINUTE });
    expect(asked(4, 7 * MINUTE)).toMatchObject({ action: 'rest', waitMs: 7 * MINUTE });
  });

  it('robots.txt without an answer rests the host from the first time on', () => {
    const asked = (failures: number, retryAfterMs: number | null = null) =>
      judgeTrouble(facts({ kind: 'robots', failures, retryAfterMs }), half);
    expect(asked(1)).toMatchObject({ action: 'rest', waitMs: 5000 });
    expect(asked(2)).toMatchObject({ action: 'rest', waitMs: 10_000 });
    expect(asked(3)).toMatchObject({ action: 'rest', waitMs: MINUTE });
    expect(asked(4)).toMatchObject({ action: 'rest', waitMs: 2 * MINUTE });
    // A Retry-After lengthens the wait, and never shortens it.
    expect(asked(1, 7000)).toMatchObject({ waitMs: 7000 });
    expect(asked(3, 0)).toMatchObject({ waitMs: MINUTE });
  });

  it('a name that does not exist is asked three times within a minute', () => {
    const asked = (failures: number) =>
      judgeTrouble(facts({ maxTries: 3, firstRetryMs: 10_000, failures }), half);
    expect(asked(1)).toEqual({ action: 'retry', retryMs: 10_000 });
    expect(asked(2)).toEqual({ action: 'retry', retryMs: 20_000 });
    expect(asked(3)).toEqual({ action: 'block', reason: 'FETCH_CONNECT' });
  });

  it('is given up when its next wait would end beyond patience', () => {
    const at = (failingForMs: number) => judgeTrouble(facts({ failures: 3, failingForMs }), half);
    expect(at(14 * MINUTE)).toMatchObject({ action: 'rest' });
    expect(at(14 * MINUTE + 1)).toEqual({
      ...{ action: 'block', reason: 'FETCH_CONNECT, longer than hostPatience' },
    });
  });
});

describe('a URL of a host that is busy', () => {
  it.each([
    [429, null, 1, false],
    [429, null, 2, true],
    [429, 0, 3, true],
    [503, 7000, 1, false],
    [503, 7000, 2, true],
    // It names no time to come back: the page itself may be what is broken.
    [503, null, 2, false],
    [503, 0, 5, false],
  ])(
    'at a %i that asks for %s ms, %i in a row, keeps its tries: %s',
    (status, ms, failures, is) => {
      expect(isHostBusy({ status, retryAfterMs: ms }, failures)).toBe(is);
    },
  );
});

describe('a URL that failed by itself', () => {
  it.each([
    [0, 0, 5000],
    [1, 0, 10_000],
    [2, 0, 20_000],
    [20, 0, 10 * MINUTE],
    [0, 30_000, 30_000],
  ])('after %i attempts at a delay of %i ms is due again in %i ms', (attempts, delayMs, ms) => {
    expect(urlRetryMs(attempts, delayMs)).toBe(ms);
  });
});
