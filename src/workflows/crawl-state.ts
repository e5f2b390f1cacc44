/** What crawlWorkflow knows before it has looked at the frontier. */
import type { CrawlCarried, CrawlProgress } from '../contracts/crawl.js';
import type { CrawlTotals } from '../contracts/frontier.js';

const NO_TOTALS: CrawlTotals = {
  discovered: 0,
  outstanding: 0,
  held: 0,
  leased: 0,
  fetched: 0,
  redirected: 0,
  notModified: 0,
  duplicate: 0,
  skipped: 0,
  failed: 0,
  retries: 0,
  sitemaps: 0,
  bytes: 0,
  hosts: 0,
  deadLetters: 0,
  skips: {},
  rejected: {},
  pendingHosts: 0,
  runningHosts: 0,
  placedHosts: 0,
};

export function newCrawlProgress(crawlId: string, carried?: CrawlCarried): CrawlProgress {
  return {
    crawlId,
    state: carried ? 'running' : 'preparing',
    finishReason: null,
    totals: NO_TOTALS,
    hostsStarted: carried?.hostsStarted ?? 0,
    refusedSeeds: carried?.refusedSeeds ?? [],
  };
}
