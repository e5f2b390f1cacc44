import { describe, expect, it } from 'vitest';
import { TurnTally } from '../../../src/activities/turn-tally.js';

describe('the tally of a turn', () => {
  it('counts outcomes, stored or not, and tells the last one with its reason', () => {
    const tally = new TurnTally('http://a.test/');
    tally.add({ url: 'http://a.test/1', outcome: 'fetched', bytes: 100 });
    tally.add({ url: 'http://a.test/2', outcome: 'notModified' });
    tally.add({ url: 'http://a.test/3', outcome: 'released' });
    tally.add({ url: 'http://a.test/4', outcome: 'retrying', reason: 'HTTP 500' });
    expect(tally.result()).toEqual({
      counts: { fetched: 2, redirected: 0, skipped: 0, failed: 0, retried: 1, bytes: 100 },
      lastUrl: 'http://a.test/4',
      lastOutcome: 'retrying (HTTP 500)',
    });
  });

  it('goes on from the details of the attempt before', () => {
    const first = new TurnTally('http://a.test/');
    first.add({ url: 'http://a.test/1', outcome: 'redirected' });
    const details = JSON.parse(JSON.stringify(first.details())) as ReturnType<TurnTally['details']>;
    const second = new TurnTally(null, details);
    second.addFailed(2);
    expect(second.result()).toMatchObject({
      counts: { redirected: 1, failed: 2 },
      lastUrl: 'http://a.test/1',
    });
  });

  it('starts at nothing after an attempt that told nothing', () => {
    expect(new TurnTally(null, undefined).result().counts.fetched).toBe(0);
  });
});
