import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { awaitResult } from '../../../src/cli/watch-crawl.js';
import type { CrawlResult } from '../../../src/contracts/crawl.js';

const POLL_MS = 20_000;
const result = { reason: 'completed' } as unknown as CrawlResult;

/** A client whose long polls leave a listener each, as those of the SDK do. */
function pollingClient(isOver: () => boolean) {
  const signals: AbortSignal[] = [];
  const client = {
    withAbortSignal: <T>(signal: AbortSignal, call: () => Promise<T>) => {
      signals.push(signal);
      return call();
    },
  };
  const poll = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('cancelled')));
      setTimeout(resolve, POLL_MS);
    });
  const handle = {
    result: async () => {
      const signal = signals.at(-1);
      if (!signal) throw new Error('no signal');
      while (!isOver()) await poll(signal);
      return result;
    },
  };
  return { client, handle, signals };
}

describe('awaitResult', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('keeps few listeners however long the crawl takes, and returns its result', async () => {
    let isOver = false;
    const { client, handle, signals } = pollingClient(() => isOver);
    const outer = new AbortController();
    const waiting = awaitResult(client, handle, outer.signal);
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(getEventListeners(outer.signal, 'abort')).toHaveLength(1);
    for (const signal of signals) {
      expect(getEventListeners(signal, 'abort').length).toBeLessThan(10);
    }
    isOver = true;
    await vi.advanceTimersByTimeAsync(2 * POLL_MS);
    expect(await waiting).toBe(result);
    expect(getEventListeners(outer.signal, 'abort')).toHaveLength(0);
  });

  it('ends with undefined when it is aborted', async () => {
    const { client, handle } = pollingClient(() => false);
    const outer = new AbortController();
    const waiting = awaitResult(client, handle, outer.signal);
    await vi.advanceTimersByTimeAsync(POLL_MS + 1);
    outer.abort();
    expect(await waiting).toBeUndefined();
  });
});
