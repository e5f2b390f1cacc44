/** What people send, checked at the door, and refusals told in words instead of "activity failed". */
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import type { CrawlCommand } from '../contracts/crawl.js';
import type { ErrorCode } from '../errors.js';

const KINDS: Readonly<Record<CrawlCommand['kind'], true>> = {
  pause: true,
  unpause: true,
  stop: true,
  adjust: true,
  requeueDeadLetters: true,
  requeueHeld: true,
};

/** A refusal that fails an update, never the workflow's task. */
export function refusal(code: ErrorCode, message: string): ApplicationFailure {
  return ApplicationFailure.create({ message, type: code, nonRetryable: true });
}

/** @throws ApplicationFailure CONFIG_INVALID_OPTION naming field, value and remedy */
export function checkCommand(command: unknown): void {
  const { kind, options } = (command ?? {}) as { kind?: unknown; options?: unknown };
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) {
    const known = Object.keys(KINDS).join(', ');
    throw badInput(
      `kind: ${JSON.stringify(kind)?.slice(0, 200)} is no command; send {"kind": …}, one of ${known}`,
    );
  }
  if (kind === 'adjust' && (typeof options !== 'object' || options === null)) {
    throw badInput(
      `options: ${JSON.stringify(options)?.slice(0, 200)} is no object; send {"kind": "adjust", "options": {"delayMs": 2000}}`,
    );
  }
}

/** @throws ApplicationFailure CONFIG_INVALID_OPTION naming field, value and remedy */
export function checkSeeds(input: unknown): void {
  const { seeds } = (input ?? {}) as { seeds?: unknown };
  if (!Array.isArray(seeds) || seeds.some((seed) => typeof seed !== 'string')) {
    throw badInput(
      `seeds: ${JSON.stringify(seeds)?.slice(0, 200)} is no list of URLs; send {"seeds": ["https://…"]}`,
    );
  }
}

/** The activity's own words and code, where it refused. */
export function explained(error: unknown): unknown {
  if (!(error instanceof ActivityFailure)) return error;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return error;
  return ApplicationFailure.create({
    message: cause.message,
    ...(cause.type !== undefined && cause.type !== null && { type: cause.type }),
    nonRetryable: true,
    ...(cause.details !== undefined && cause.details !== null && { details: cause.details }),
  });
}

function badInput(message: string): ApplicationFailure {
  return refusal('CONFIG_INVALID_OPTION', message);
}
