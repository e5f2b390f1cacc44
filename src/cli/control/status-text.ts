/** What `status` says. Pure. */
import { join } from 'node:path';
import type { CrawlStatus } from '../../contracts/frontier.js';
import {
  counted,
  formatBytes,
  formatCount,
  formatElapsed,
  formatTally,
  plain,
} from '../display/format.js';
import { commandLine } from '../context.js';
import { queuedCount, storedCount } from '../../contracts/totals.js';
import type { Rates } from '../display/snapshot.js';
import { abandonedLine, isAbandoned, missingSeedsLine } from './engine-life.js';
import { pairLines } from './table.js';

const SEEDS_SHOWN = 3;

/** Running time: from the last start or resume to the end, or till now. */
function runningMs({ startedAtMs, finishedAtMs }: CrawlStatus, nowMs: number): number {
  return Math.max(0, (finishedAtMs ?? nowMs) - startedAtMs);
}

/** Average since the crawl's last start, where nobody watched: of one that was never resumed. */
export function averageRates(status: CrawlStatus, nowMs: number): Rates {
  const seconds = Math.max(1, runningMs(status, nowMs) / 1000);
  return {
    pagesPerSecond: storedCount(status.totals) / seconds,
    bytesPerSecond: status.totals.bytes / seconds,
  };
}

/** Lines for people. `rates` null: not known (the crawl was resumed, or is over). */
export function statusLines(
  status: CrawlStatus,
  rates: Rates | null,
  nowMs: number,
  dataDir?: string,
): string[] {
  const { totals, settings, seeds } = status;
  const why = status.finishReason === null ? '' : ` (${status.finishReason})`;
  const pairs: [string, string][] = [
    ['crawl', status.crawlId],
    ['state', `${status.state}${why}`],
    ['seeds', seedsText(seeds)],
    ['started', `${isoTime(status.startedAtMs)}, ran ${formatElapsed(runningMs(status, nowMs))}`],
    ['pages', `${formatCount(storedCount(totals))} stored, ${formatBytes(totals.bytes)}`],
  ];
  if (status.finishedAtMs !== null) pairs.push(['ended', isoTime(status.finishedAtMs)]);
  const outcomes = formatTally({
    fetched: totals.fetched,
    'not modified': totals.notModified,
    duplicate: totals.duplicate,
    redirected: totals.redirected,
    skipped: totals.skipped,
    failed: totals.failed,
    retried: totals.retries,
  });
  if (outcomes !== '') pairs.push(['outcomes', outcomes]);
  const skips = formatTally(totals.skips);
  if (skips !== '') pairs.push(['skipped', skips]);
  const rejected = formatTally(totals.rejected);
  if (rejected !== '') pairs.push(['not followed', rejected]);
  pairs.push(
    ['queued', queuedText(status)],
    [
      'hosts',
      `${formatCount(totals.hosts)} known, ${formatCount(totals.placedHosts)} active, ` +
        `${formatCount(totals.pendingHosts)} waiting for a place`,
    ],
  );
  if (rates && status.finishedAtMs === null) {
    const bytes = formatBytes(rates.bytesPerSecond);
    pairs.push(['rate', `${rates.pagesPerSecond.toFixed(1)} pages/s, ${bytes}/s`]);
  }
  if (totals.deadLetters > 0) {
    const how = commandLine(['dead-letters', status.crawlId], dataDir);
    pairs.push([
      'dead letters',
      `${formatCount(totals.deadLetters)} that may be tried again: ${how}`,
    ]);
  }
  if (totals.trapped > 0) {
    const how = commandLine(['held', status.crawlId], dataDir);
    pairs.push(['held back', `${formatCount(totals.trapped)} that look like crawl traps: ${how}`]);
  }
  if (settings.dedupe === 'bloom') {
    const skipped = counted(Math.round(status.expectedFalseSkips), 'new URL');
    pairs.push(['seen filter', `bloom: about ${skipped} skipped as already seen, by its nature`]);
  }
  pairs.push(['output', join(settings.out, status.crawlId)]);
  if (status.parentSeenAtMs !== null && status.finishedAtMs === null) {
    const ago = formatElapsed(nowMs - status.parentSeenAtMs);
    pairs.push(['engine', `last seen ${ago} ago`]);
  }
  const missing = abandonedLine(status, nowMs, dataDir);
  const notes = [missingSeedsLine(status, dataDir), missing].filter((line) => line !== undefined);
  return [...pairLines(pairs), ...(notes.length === 0 ? [] : ['', ...notes])];
}

/** The object of `--json`. */
export function statusJson(status: CrawlStatus, rates: Rates | null, nowMs: number): object {
  const { settings, totals, ...rest } = status;
  return {
    ...rest,
    totals,
    settings,
    queued: queuedCount(totals),
    stored: storedCount(totals),
    runningMs: runningMs(status, nowMs),
    ...(rates && status.finishedAtMs === null && { rates }),
    isAbandoned: isAbandoned(status, nowMs),
    out: join(settings.out, status.crawlId),
  };
}

function queuedText({ totals }: CrawlStatus): string {
  const parts = [formatCount(queuedCount(totals))];
  if (totals.leased > 0) parts.push(`${formatCount(totals.leased)} of them being fetched`);
  if (totals.held > 0) parts.push(`${formatCount(totals.held)} held by a host's limit`);
  return parts.join(', ');
}

function seedsText(seeds: readonly string[]): string {
  const shown = seeds.slice(0, SEEDS_SHOWN).map(plain).join(' ');
  const more = seeds.length - SEEDS_SHOWN;
  return more > 0 ? `${shown} and ${formatCount(more)} more` : shown;
}

/** `2026-12-01 14:03:12 UTC`. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace(/\..*/, ' UTC');
}
