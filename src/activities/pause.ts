/** A pause that an abort ends. */
import { setTimeout as sleep } from 'node:timers/promises';

/** @throws the signal's reason when it aborts */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
