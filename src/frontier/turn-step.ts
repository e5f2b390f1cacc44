/** A step of a turn as complete-and-lease reads it: JSON, whole numbers, nothing that is missing. */
import type { TurnStep } from '../contracts/frontier.js';
import { ConfigError } from '../errors.js';

/**
 * Check and encode a step. A script that fails half-way is not undone, so bad input stops here.
 *
 * @throws CONFIG_INVALID_OPTION naming the field
 */
export function encodeStep(step: Omit<TurnStep, 'claim' | 'leaseMs'>): string {
  const { completion, wait, seq, hostOutcome } = step;
  if ((completion ?? hostOutcome) !== undefined && !isCount(seq)) {
    throw badField('seq', seq, 'number the steps of an attempt that record something from 1');
  }
  return JSON.stringify({
    ...step,
    ...(wait && { wait: { ...wait, waitMs: whole('wait.waitMs', wait.waitMs) } }),
    ...(completion && {
      completion: {
        ...completion,
        ...(completion.outcome === 'retrying' && {
          dueInMs: whole('completion.dueInMs', completion.dueInMs ?? 0),
        }),
        ...(completion.bytes !== undefined && {
          bytes: whole('completion.bytes', completion.bytes),
        }),
      },
    }),
  });
}

function isCount(value: number | undefined): boolean {
  return value !== undefined && Number.isInteger(value) && value >= 1;
}

function whole(field: string, value: number): number {
  const rounded = Math.ceil(value);
  if (Number.isSafeInteger(rounded) && rounded >= 0) return rounded;
  throw badField(field, value, 'give a number ≥ 0');
}

function badField(field: string, value: unknown, remedy: string): ConfigError {
  return new ConfigError('CONFIG_INVALID_OPTION', `${field}: ${String(value)}; ${remedy}`);
}
