/** Heartbeats by the clock, so that a long step is not taken for a dead one and hears of its end. */
import { Context } from '@temporalio/activity';

/** Beats within a heartbeat timeout: three may be lost. */
const BEATS_PER_TIMEOUT = 4;
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Run something of the current activity while its heart beats.
 *
 * @param details what each beat tells, and a later attempt finds
 */
export async function whileBeating<T>(details: () => unknown, run: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const everyMs = (context.info.heartbeatTimeoutMs ?? DEFAULT_TIMEOUT_MS) / BEATS_PER_TIMEOUT;
  const beat = setInterval(() => context.heartbeat(details()), everyMs);
  try {
    return await run();
  } finally {
    clearInterval(beat);
  }
}

/** The same activities, each beating while it runs. */
export function beating<T extends object>(activities: T): T {
  const wrapped = Object.entries(activities).map(([name, run]) => [
    name,
    (...args: unknown[]): Promise<unknown> =>
      whileBeating(
        () => undefined,
        () => (run as (...args: unknown[]) => Promise<unknown>)(...args),
      ),
  ]);
  return Object.fromEntries(wrapped) as T;
}
