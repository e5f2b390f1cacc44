/** From the engine's errors to failures that Temporal understands: the code becomes the type. */
import { ApplicationFailure } from '@temporalio/activity';
import { CrawlError } from '../errors.js';

/** Wrap what an activity throws; failures of Temporal and cancellations pass. */
export function toFailure(error: unknown): unknown {
  if (!(error instanceof CrawlError)) return error;
  return ApplicationFailure.create({
    message: error.message,
    type: error.code,
    nonRetryable: !error.retryable,
    details: [error.details],
    cause: error,
  });
}

/** The same activities, whose errors carry their codes. */
export function withFailures<T extends object>(activities: T): T {
  const wrapped = Object.entries(activities).map(([name, run]) => [
    name,
    async (...args: unknown[]): Promise<unknown> => {
      try {
        return await (run as (...args: unknown[]) => Promise<unknown>)(...args);
      } catch (error) {
        throw toFailure(error);
      }
    },
  ]);
  return Object.fromEntries(wrapped) as T;
}
