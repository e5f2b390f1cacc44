import { describe, expect, it } from 'vitest';
import type { TurnStep } from '../../../src/contracts/frontier.js';
import { encodeStep } from '../../../src/frontier/turn-step.js';

type Step = Omit<TurnStep, 'claim' | 'leaseMs'>;
const encoded = (step: Step): Step => JSON.parse(encodeStep(step)) as Step;
const url = 'https://a.example.com/';

describe('encodeStep', () => {
  it('leaves an empty step empty', () => {
    expect(encodeStep({})).toBe('{}');
  });

  it('rounds times and sizes up to whole numbers', () => {
    const step = encoded({
      seq: 1,
      wait: { waitMs: 0.1, reason: 'politeness' },
      completion: { url, outcome: 'retrying', dueInMs: 9.5, bytes: 3.2 },
    });
    expect(step.wait).toEqual({ waitMs: 1, reason: 'politeness' });
    expect(step.completion).toMatchObject({ dueInMs: 10, bytes: 4 });
  });

  it('takes a retry without a time as due at once', () => {
    expect(encoded({ seq: 1, completion: { url, outcome: 'retrying' } }).completion).toMatchObject({
      dueInMs: 0,
    });
  });

  it.each([
    ['seq', { completion: { url, outcome: 'fetched' } }],
    ['seq', { seq: 0, hostOutcome: 'ok' }],
    ['seq', { seq: 1.5, hostOutcome: 'failure' }],
    ['wait.waitMs', { wait: { waitMs: Number.POSITIVE_INFINITY, reason: '' } }],
    ['wait.waitMs', { wait: { waitMs: -1, reason: '' } }],
    ['completion.bytes', { seq: 1, completion: { url, outcome: 'fetched', bytes: Number.NaN } }],
    ['completion.dueInMs', { seq: 1, completion: { url, outcome: 'retrying', dueInMs: -5 } }],
  ] as [string, Step][])('refuses a bad %s by name', (field, step) => {
    expect(() => encodeStep(step)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID_OPTION',
        message: expect.stringMatching(new RegExp(`^${field}: `)) as string,
      }) as Error,
    );
  });
});
