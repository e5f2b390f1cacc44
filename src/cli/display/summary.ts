/** What is said when a crawl is over, and the line of --json. Pure. */
import { join } from 'node:path';
import type {
  CrawlStatus,
  CrawlTotals,
  CrawlState,
  FinishReason,
} from '../../contracts/frontier.js';
import { counted, formatBytes, formatCount, formatElapsed, formatTally } from './format.js';
import { queuedCount, storedCount } from '../../contracts/totals.js';

/** The one line that `--json` prints on stdout. */
export interface JsonResult {
  readonly crawlId: string;
  readonly state: CrawlState;
  readonly finishReason: FinishReason | null;
  /** Distinct URLs admitted. */
  readonly discovered: number;
  /** Pages stored. */
  readonly fetched: number;
  readonly redirected: number;
  readonly failed: number;
  readonly skipped: number;
  readonly queued: number;
  /** URLs held back as crawl traps; `orbweaver held` lists them. */
  readonly trapped: number;
  readonly hosts: number;
  /** Decoded bytes of bodies. */
  readonly bytes: number;
  readonly durationMs: number;
  /** Folder of this crawl's output. */
  readonly out: string;
}

/** What `--json` says. */
export function jsonResult(
  status: Pick<CrawlStatus, 'crawlId' | 'state' | 'finishReason' | 'totals' | 'settings'>,
  durationMs: number,
): JsonResult {
  const { crawlId, state, finishReason, totals, settings } = status;
  return {
    crawlId,
    state,
    finishReason,
    discovered: totals.discovered,
    fetched: storedCount(totals),
    redirected: totals.redirected,
    failed: totals.failed,
    skipped: totals.skipped,
    queued: queuedCount(totals),
    trapped: totals.trapped,
    hosts: totals.hosts,
    bytes: totals.bytes,
    durationMs,
    out: join(settings.out, crawlId),
  };
}

const REASONS: Readonly<Record<FinishReason, string>> = {
  completed: 'nothing is left to fetch',
  pageLimit: 'its page limit (--limit) is reached',
  maxDuration: 'its time (--max-duration) is up',
  stopped: 'it was stopped',
  cancelled: 'it was cancelled',
  failed: 'it failed',
};

/** Commands that go on from here, as a person may paste them. */
export interface NextCommands {
  readonly export: string;
  readonly failures: string;
  readonly held: string;
  readonly resume: string;
}

/** Lines of the summary. */
export function summaryLines(
  status: CrawlStatus,
  durationMs: number,
  next: NextCommands,
): readonly string[] {
  const { crawlId, state, finishReason, totals, settings, expectedFalseSkips } = status;
  const why = finishReason === null ? '' : `: ${REASONS[finishReason]}`;
  const lines = [
    `crawl ${crawlId} is ${state}${why} (${formatElapsed(durationMs)})`,
    `  ${countsText(totals)}`,
  ];
  const skips = formatTally(totals.skips);
  if (skips !== '') lines.push(`  skipped: ${skips}`);
  const rejected = formatTally(totals.rejected);
  if (rejected !== '') lines.push(`  links not followed: ${rejected}`);
  if (expectedFalseSkips >= 0.5) {
    lines.push(
      `  about ${counted(expectedFalseSkips, 'new URL')} skipped as already seen (Bloom filter); --dedupe exact skips none`,
    );
  }
  if (storedCount(totals) > 0) {
    lines.push(`  output   ${join(settings.out, crawlId)}`, `  export   ${next.export}`);
  }
  if (totals.failed > 0) lines.push(`  failures ${next.failures}`);
  if (totals.trapped > 0) {
    const held = counted(totals.trapped, 'URL');
    lines.push(`  ${held} held back that look like crawl traps; list them with: ${next.held}`);
  }
  if (queuedCount(totals) > 0) {
    lines.push(`  ${formatCount(queuedCount(totals))} still queued; go on with: ${next.resume}`);
  }
  return lines;
}

function countsText(totals: CrawlTotals): string {
  const parts = [
    `${counted(storedCount(totals), 'page')} (${formatBytes(totals.bytes)}) from ${counted(totals.hosts, 'host')}`,
    `${formatCount(totals.redirected)} redirected`,
    `${formatCount(totals.skipped)} skipped`,
    `${formatCount(totals.failed)} failed`,
    `${formatCount(queuedCount(totals))} queued`,
  ];
  return parts.join(', ');
}

/** Why there is no page, from the counters alone; what the seeds say comes besides. */
export function noPageLines({ totals, finishReason }: CrawlStatus): readonly string[] {
  const facts = [
    totals.failed > 0 ? `${counted(totals.failed, 'URL')} failed` : '',
    totals.skipped > 0 ? `skipped: ${formatTally(totals.skips)}` : '',
    totals.redirected > 0 ? `${counted(totals.redirected, 'redirect')}` : '',
    Object.keys(totals.rejected).length > 0 ? `not followed: ${formatTally(totals.rejected)}` : '',
    queuedCount(totals) > 0 ? `${formatCount(queuedCount(totals))} still queued` : '',
    totals.trapped > 0 ? `${formatCount(totals.trapped)} held back as crawl traps` : '',
    finishReason === null || finishReason === 'completed'
      ? ''
      : `ended because ${REASONS[finishReason]}`,
  ].filter((fact) => fact !== '');
  return [`no page was stored: ${facts.length > 0 ? facts.join('; ') : 'no URL was admitted'}`];
}
