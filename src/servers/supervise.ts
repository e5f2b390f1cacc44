/** Starts a server again whenever it ends without being asked to. */
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningServer } from './server-life.js';

/** First wait after an unexpected end, ms; doubles with each further one. */
const FIRST_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 5_000;
/** A server that has run this long is healthy again, ms. */
const FORGIVEN_AFTER_MS = 60_000;

/**
 * Watch a server until `signal` aborts; then it is left to the caller.
 *
 * @param report hears of each unexpected end and each start
 */
export async function supervise(
  name: string,
  server: RunningServer,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const stopped = new Promise<'stopped'>((resolve) => {
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  let backoffMs = FIRST_BACKOFF_MS;
  while (!signal.aborted) {
    const sinceMs = performance.now();
    const exit = await Promise.race([server.exited, stopped]);
    if (exit === 'stopped' || signal.aborted) return;
    if (performance.now() - sinceMs > FORGIVEN_AFTER_MS) backoffMs = FIRST_BACKOFF_MS;
    report(`${name}: ended unexpectedly (exit code ${exit.code ?? 'none'}), starting it again`);
    try {
      await delay(backoffMs, undefined, { signal });
      backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS);
      await server.restart();
      report(`${name}: running again`);
    } catch (error) {
      // A start that failed leaves an ended server, so the loop comes back here after a longer wait.
      if (!signal.aborted) report(`${name}: ${(error as Error).message}`);
    }
  }
}
