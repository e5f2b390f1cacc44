/** What a display shows: one look at the frontier, and how fast it moved. */
import type { CrawlStatus, HostStatus } from '../../contracts/frontier.js';
import { storedCount } from '../../contracts/totals.js';

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
