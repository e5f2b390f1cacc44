/** Sums over a crawl's counters, the same wherever they are shown. Pure. */
import type { CrawlTotals } from './frontier.js';

/** Final outcomes so far. */
export function doneCount(totals: CrawlTotals): number {
  const { fetched, redirected, notModified, duplicate, skipped, failed } = totals;
  return fetched + redirected + notModified + duplicate + skipped + failed;
}

/**
 * URLs queued in any way: ready, leased, waiting for a retry, held at a limit. Sitemaps that are
 * queued too are no URLs of the crawl, so that discovered = done + queued at any moment.
 */
export function queuedCount(totals: CrawlTotals): number {
  return Math.max(0, totals.discovered - doneCount(totals));
}

/** Pages stored: fetched ones, and those that are known unchanged or under another URL. */
export function storedCount(totals: CrawlTotals): number {
  return totals.fetched + totals.notModified + totals.duplicate;
}
