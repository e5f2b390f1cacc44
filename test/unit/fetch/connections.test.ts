import { afterEach, describe, expect, it, vi } from 'vitest';
import { Connections } from '../../../src/fetch/connections.js';

const RULES = {
  allowPrivate: true,
  mapHosts: [],
  resolve: () => Promise.resolve([]),
  extraCa: null,
};

describe('Connections', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('forgets origins that nobody fetches from any more, not those in use', async () => {
    vi.useFakeTimers();
    const connections = new Connections();
    const running = connections.hold('http://a.test', RULES);
    connections.hold('http://b.test', RULES).release(true);
    expect(connections.size).toBe(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connections.size).toBe(1);
    running.release(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connections.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('shares an origin’s connection between fetches until one ends badly', async () => {
    const connections = new Connections();
    const first = connections.hold('http://a.test', RULES);
    const second = connections.hold('http://a.test', RULES);
    expect(second.client).toBe(first.client);
    first.release(false);
    expect(first.client.destroyed).toBe(false);
    expect(connections.hold('http://a.test', RULES).client).not.toBe(first.client);
    second.release(true);
    expect(first.client.destroyed).toBe(true);
    await connections.destroy();
  });

  it('keeps a bounded number of idle origins, the latest used', async () => {
    const connections = new Connections();
    const hold = (n: number) => connections.hold(`http://h${n}.test`, RULES);
    const oldest = hold(0);
    oldest.release(true);
    for (let n = 1; n <= 1_000; n += 1) hold(n).release(true);
    expect(connections.size).toBe(1_000);
    expect(oldest.client.destroyed).toBe(true);
    await connections.destroy();
    expect(connections.size).toBe(0);
  });
});
