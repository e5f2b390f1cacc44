/** What a display shows: one look at the frontier, and how fast it moved. */
import type { CrawlStatus, CrawlTotals, HostStatus } from '../../contracts/frontier.js';

/** One look at a crawl. */
export interface Snapshot {
  readonly status: CrawlStatus;
  /** Hosts that are active, waiting, blocked, paused or have something queued. */
  readonly hosts: readonly HostStatus[];
  /** This process's clock. */
  readonly atMs: number;
  /** Redis did not answer just now: the figures are those of the last look. */
  readonly isStale?: boolean;
}

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

/** Rates over the last seconds. */
export interface Rates {
  readonly pagesPerSecond: number;
  readonly bytesPerSecond: number;
}

const WINDOW_MS = 10_000;

/** Rates of a row of looks; steady enough to read, quick enough to notice a stall. */
export class RateMeter {
  private readonly looks: { atMs: number; pages: number; bytes: number }[] = [];

  /** Take a look into account. @returns rates over at most the last ten seconds */
  add({ atMs, status }: Pick<Snapshot, 'atMs' | 'status'>): Rates {
    const { totals } = status;
    this.looks.push({ atMs, pages: storedCount(totals), bytes: totals.bytes });
    while (this.looks.length > 2 && (this.looks[1]?.atMs ?? atMs) < atMs - WINDOW_MS) {
      this.looks.shift();
    }
    const [first] = this.looks;
    const last = this.looks.at(-1);
    const seconds = first && last ? (last.atMs - first.atMs) / 1000 : 0;
    if (!first || !last || seconds <= 0) return { pagesPerSecond: 0, bytesPerSecond: 0 };
    return {
      pagesPerSecond: Math.max(0, last.pages - first.pages) / seconds,
      bytesPerSecond: Math.max(0, last.bytes - first.bytes) / seconds,
    };
  }
}
