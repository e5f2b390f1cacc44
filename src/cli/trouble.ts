/** Trouble of ours while a crawl runs (Redis full, disk full): said, not only retried. Pure. */
import type { CrawlError } from '../errors.js';

/** Every turn fails by the same cause: it is said again after this. */
const AGAIN_MS = 60_000;

/**
 * Say trouble, each kind at most once a minute.
 *
 * @param nowMs default: the clock
 */
export function troubleTeller(
  say: (line: string) => void,
  nowMs: () => number = Date.now,
): (error: CrawlError) => void {
  const saidAtMs = new Map<string, number>();
  return ({ code, message }) => {
    const now = nowMs();
    if (now - (saidAtMs.get(code) ?? -Infinity) < AGAIN_MS) return;
    saidAtMs.set(code, now);
    say(`trouble: ${message}; nothing is lost, and it goes on as soon as that is mended`);
  };
}
