/**
 * Replies that fit one message to Temporal. It refuses a larger one however often the activity is
 * tried again, so a reply that grows with what strangers wrote would be tried for ever.
 */
import type { RefusedSeed } from '../contracts/crawl.js';

/** Bytes of a reply as JSON; the server refuses 2 MiB. */
export const MAX_REPLY_BYTES = 1024 * 1024;
/** Of a page that does not fit, such a part is read instead. */
const SMALLER = 4;

/**
 * A page of a list that fits one message: of `limit` entries, or of as many as fit.
 *
 * @param read reads a page of so many entries; one entry always fits
 */
export async function fittingPage<T>(
  limit: number,
  read: (limit: number) => Promise<T>,
): Promise<T> {
  for (let most = limit; ; most = Math.max(1, Math.floor(most / SMALLER))) {
    const page = await read(most);
    if (most <= 1 || bytesOf(page) <= MAX_REPLY_BYTES) return page;
  }
}

/** Refused seeds, as many as fit one message; the last entry counts those that do not. */
export function fittingRefusals(refused: readonly RefusedSeed[]): readonly RefusedSeed[] {
  let bytes = 0;
  for (const [n, seed] of refused.entries()) {
    bytes += bytesOf(seed) + 1;
    if (bytes <= MAX_REPLY_BYTES) continue;
    const more = {
      seed: `(${refused.length - n} more)`,
      reason: 'refused too; give fewer seeds at a time to have each named',
    };
    return [...refused.slice(0, n), more];
  }
  return refused;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
