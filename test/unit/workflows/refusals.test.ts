import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { checkCommand, checkSeeds, explained } from '../../../src/workflows/refusals.js';

describe('what people send to a crawl', () => {
  it.each([
    { kind: 'pause' },
    { kind: 'unpause' },
    { kind: 'stop' },
    { kind: 'adjust', options: { delayMs: 5 } },
    { kind: 'requeueDeadLetters' },
    { kind: 'requeueHeld' },
  ])('takes %o', (command) => {
    expect(() => checkCommand(command)).not.toThrow();
  });

  it.each([
    [undefined, /kind: undefined is no command/],
    ['pause', /kind: undefined is no command/],
    [{ kind: 'toString' }, /kind: "toString" is no command.*pause, unpause, stop/],
    [{ kind: 'adjust' }, /options: undefined is no object; send/],
    [{ kind: 'adjust', options: 'fast' }, /options: "fast" is no object/],
  ])('refuses %o', (command, message) => {
    expect(() => checkCommand(command)).toThrow(message);
    expect(() => checkCommand(command)).toThrow(
      expect.objectContaining({ type: 'CONFIG_INVALID_OPTION', nonRetryable: true }) as Error,
    );
  });

  it.each([[undefined], [{ seeds: 'http://a.test' }], [{ seeds: [1] }]])(
    'refuses seeds %o',
    (input) => {
      expect(() => checkSeeds(input)).toThrow(/^seeds: .* is no list of URLs; send/);
    },
  );

  it("tells an activity's refusal in its own words, and leaves other failures", () => {
    const cause = ApplicationFailure.create({
      ...{ message: 'delayMs: "soon" is no duration', type: 'CONFIG_INVALID_OPTION' },
      details: [{ field: 'delayMs' }],
    });
    const failure = new ActivityFailure(
      'Activity task failed',
      'changeCrawl',
      '1',
      'NON_RETRYABLE_FAILURE',
      'w',
      cause,
    );
    expect(explained(failure)).toMatchObject({
      ...{ message: cause.message, type: cause.type, details: cause.details, nonRetryable: true },
    });
    const other = new Error('x');
    expect(explained(other)).toBe(other);
  });
});
