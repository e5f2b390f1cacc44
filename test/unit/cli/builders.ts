/** Statuses, hosts and contexts for the tests of the command line. */
import { PassThrough } from 'node:stream';
import { createContext, type CliContext } from '../../../src/cli/context.js';
import { resolveCrawlOptions } from '../../../src/config/resolve.js';
import type { CrawlStatus, CrawlTotals, HostStatus } from '../../../src/contracts/frontier.js';
import { newCrawlProgress } from '../../../src/workflows/crawl-state.js';

export function totals(changes: Partial<CrawlTotals> = {}): CrawlTotals {
  return { ...newCrawlProgress('c').totals, ...changes };
}

export function status(
  changes: Partial<Omit<CrawlStatus, 'totals' | 'settings'>> & {
    totals?: Partial<CrawlTotals>;
    settings?: Partial<CrawlStatus['settings']>;
  } = {},
): CrawlStatus {
  const { settings } = resolveCrawlOptions({ seeds: ['https://example.com/'], out: '/data/out' });
  return {
    crawlId: 'c1',
    version: 1,
    state: 'running',
    finishReason: null,
    createdAtMs: 0,
    startedAtMs: 0,
    finishedAtMs: null,
    parentSeenAtMs: 0,
    seeds: ['https://example.com/'],
    isMissingSeeds: false,
    expectedFalseSkips: 0,
    ...changes,
    settings: { ...settings, ...changes.settings },
    totals: totals(changes.totals),
  };
}

export function host(hostKey: string, changes: Partial<HostStatus> = {}): HostStatus {
  return {
    hostKey,
    state: 'active',
    queued: 0,
    fetched: 0,
    redirected: 0,
    skipped: 0,
    failed: 0,
    bytes: 0,
    nextAtMs: null,
    reason: null,
    leasedUrl: null,
    consecutiveFailures: 0,
    ...changes,
  };
}

/** A context whose output can be read. */
export function testContext(
  env: Record<string, string> = {},
  stdin = '',
): CliContext & { out(): string; err(): string } {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const input = new PassThrough();
  input.end(stdin);
  const texts = { out: '', err: '' };
  stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()));
  stderr.on('data', (chunk: Buffer) => (texts.err += chunk.toString()));
  const ctx = createContext({ stdout, stderr, stdin: input, env, cwd: '/work' });
  return Object.assign(ctx, { out: () => texts.out, err: () => texts.err });
}
