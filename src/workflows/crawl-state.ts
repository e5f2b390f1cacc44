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
  trapped: 0,
  skips: {},
  rejected: {},
  pendingHosts: 0,
  runningHosts: 0,
  placedHosts: 0,
};

/** Progress at the start of a run: as the run before left it, or nothing yet. */
export function newCrawlProgress(crawlId: string, carried?: CrawlCarried): CrawlProgress {
  return {
    crawlId,
    state: carried?.state ?? (carried ? 'running' : 'preparing'),
    finishReason: carried?.finishReason ?? null,
    totals: carried?.totals ?? NO_TOTALS,
    hostsStarted: carried?.hostsStarted ?? 0,
    refusedSeeds: carried?.refusedSeeds ?? [],
  };
}

/** Active hosts up to which the default heartbeat timeout costs the server little. */
const HOSTS_AT_DEFAULT = 150;
const DEFAULT_HEARTBEAT_MS = 10_000;
const MAX_HEARTBEAT_MS = 60_000;

/** Heartbeats cost the server by the number of active hosts: with many, the timeout grows. */
export function heartbeatMsFor(activeHosts: number): number {
  const scaled = Math.round((DEFAULT_HEARTBEAT_MS * activeHosts) / HOSTS_AT_DEFAULT);
  return Math.min(Math.max(scaled, DEFAULT_HEARTBEAT_MS), MAX_HEARTBEAT_MS);
}
