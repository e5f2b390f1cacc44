/** One frame of the live display: a snapshot as lines that fit the terminal. Pure. */
import type { CrawlStatus } from '../../contracts/frontier.js';
import {
  bar,
  counted,
  fit,
  formatBytes,
  formatCount,
  formatElapsed,
  formatTally,
} from './format.js';
import { busiestHosts, busyLine, heldUpHosts, heldUpLine } from './host-lines.js';
import { doneCount, queuedCount, storedCount } from '../../contracts/totals.js';
import type { Rates, Snapshot } from './snapshot.js';

/** What a frame shows besides the snapshot. */
export interface FrameFacts {
  readonly crawlId: string;
  readonly startedAtMs: number;
  readonly nowMs: number;
  /** The crawl's page in Temporal's web UI; null where its address is not known. */
  readonly webUrl: string | null;
  /** The last thing to say: "letting running pages finish…". */
  readonly note: string | null;
  readonly columns: number;
  readonly rows: number;
}

/** Hosts of each list at most. */
const MAX_HOST_LINES = 5;
/** Lines besides the hosts': figures, headings, link, note, the cursor's. */
const OTHER_LINES = 12;
const MAX_BAR_CELLS = 40;
const MIN_COLUMNS = 40;

/** Lines of a frame. `snapshot` is null before the first look. */
export function renderFrame(
  snapshot: Snapshot | null,
  rates: Rates,
  facts: FrameFacts,
): readonly string[] {
  const width = Math.max(facts.columns - 1, MIN_COLUMNS);
  const elapsed = formatElapsed(facts.nowMs - facts.startedAtMs);
  const lines: string[] = [];
  if (snapshot === null) lines.push(`${facts.crawlId}  starting  ${elapsed}`);
  else {
    const { status } = snapshot;
    const stale = snapshot.isStale ? '  (Redis does not answer; figures of the last look)' : '';
    lines.push(`${facts.crawlId}  ${stateText(status)}  ${elapsed}${stale}`);
    lines.push(progressLine(status, width), ...countLines(status, rates));
    lines.push(...hostLines(snapshot, facts, width));
  }
  // Never cut: a cut address is none.
  if (facts.webUrl !== null) lines.push(`  web UI  ${facts.webUrl}`);
  if (facts.note !== null) lines.push(`  ${facts.note}`);
  const isLink = (line: string) => line.startsWith('  web UI');
  return lines.map((line) => (isLink(line) ? line : fit(line, width)));
}

/** `running`, `stopping (pageLimit)`. */
export function stateText({ state, finishReason }: CrawlStatus): string {
  return finishReason === null ? state : `${state} (${finishReason})`;
}

/** How far the crawl is: against its page limit, else against what is known so far. */
function progressLine({ totals, settings }: CrawlStatus, width: number): string {
  const { maxPages } = settings;
  const stored = storedCount(totals);
  const done = doneCount(totals);
  // A small site may end far from the limit: the nearer end counts.
  const ofKnown = totals.discovered === 0 ? 0 : done / totals.discovered;
  const ofLimit = maxPages === null ? 0 : stored / maxPages;
  const text =
    maxPages !== null && ofLimit >= ofKnown
      ? `${formatCount(stored)} of at most ${counted(maxPages, 'page')}`
      : `${formatCount(done)} of ${counted(totals.discovered, 'URL')} known`;
  const cells = Math.max(10, Math.min(MAX_BAR_CELLS, width - text.length - 6));
  return `  ${bar(Math.max(ofKnown, ofLimit), cells)}  ${text}`;
}

function countLines(status: CrawlStatus, rates: Rates): string[] {
  const { totals, expectedFalseSkips } = status;
  const outcomes = [
    `fetched ${formatCount(storedCount(totals))}`,
    `redirected ${formatCount(totals.redirected)}`,
    `skipped ${formatCount(totals.skipped)}`,
    `failed ${formatCount(totals.failed)}`,
    `queued ${formatCount(queuedCount(totals))}`,
  ];
  const hosts = `${counted(totals.hosts, 'host')} (${formatCount(totals.placedHosts)} active, ${formatCount(totals.pendingHosts)} waiting for a place)`;
  const lines = [
    `  ${outcomes.join('  ')}`,
    `  ${rates.pagesPerSecond.toFixed(1)} pages/s  ${formatBytes(rates.bytesPerSecond)}/s  ${formatBytes(totals.bytes)} in all  ${hosts}`,
  ];
  const skips = formatTally(totals.skips);
  if (skips !== '') lines.push(`  skipped: ${skips}`);
  if (expectedFalseSkips >= 0.5) {
    lines.push(
      `  about ${formatCount(expectedFalseSkips)} new URLs skipped as seen (Bloom filter; --dedupe exact skips none)`,
    );
  }
  return lines;
}

function hostLines(
  { hosts }: Snapshot,
  { nowMs, rows }: Pick<FrameFacts, 'nowMs' | 'rows'>,
  width: number,
): string[] {
  const lines: string[] = [];
  const limit = Math.max(1, Math.min(MAX_HOST_LINES, Math.floor((rows - OTHER_LINES) / 2)));
  const busy = busiestHosts(hosts, nowMs, limit);
  if (busy.length > 0) {
    lines.push('  busiest', ...busy.map((host) => `    ${busyLine(host, width - 4)}`));
  }
  const heldUp = heldUpHosts(hosts, nowMs, limit);
  if (heldUp.length > 0) {
    lines.push('  waiting', ...heldUp.map((host) => `    ${heldUpLine(host, nowMs, width - 4)}`));
  }
  return lines;
}
