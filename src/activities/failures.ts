/** From the engine's errors to failures that Temporal understands: the code becomes the type. */
import { ApplicationFailure } from '@temporalio/activity';
import { CrawlError, type ErrorCode } from '../errors.js';

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

/**
 * What a failed fetch is called in records and waits: its code; for TLS with Node's own word for the
 * fault in brackets, since one code stands for faults as different as a date and a name.
 */
export function failureName({ code, details }: CrawlError): string {
  const { reason } = details;
  return code === 'FETCH_TLS' && typeof reason === 'string' ? `${code} (${reason})` : code;
}

/**
 * The code within such a name, which says `robots.txt: ` first where robots.txt was asked for: what
 * Temporal shows as a failure's type.
 */
export function codeOfName(name: string): string {
  return name.replace(/^robots\.txt: /, '').replace(/ \(.*$/, '');
}

/** Trouble of ours that ends when somebody mends it: the activity is tried again until then. */
const OUR_TROUBLE: readonly ErrorCode[] = ['FRONTIER_UNAVAILABLE', 'OUTPUT_WRITE'];

/**
 * The same activities, whose errors carry their codes.
 *
 * @param onTrouble hears of trouble that is ours (Redis, disk), each time that it fails an attempt
 */
export function withFailures<T extends object>(
  activities: T,
  onTrouble: (error: CrawlError) => void = () => {},
): T {
  const wrapped = Object.entries(activities).map(([name, run]) => [
    name,
    async (...args: unknown[]): Promise<unknown> => {
      try {
        return await (run as (...args: unknown[]) => Promise<unknown>)(...args);
      } catch (error) {
        if (error instanceof CrawlError && OUR_TROUBLE.includes(error.code)) onTrouble(error);
        throw toFailure(error);
      }
    },
  ]);
  return Object.fromEntries(wrapped) as T;
}
