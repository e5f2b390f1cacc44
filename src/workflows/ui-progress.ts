/** What the Temporal web UI shows: summaries of one line, current details in Markdown. */
import type { CrawlProgress } from '../contracts/crawl.js';
import type { HostProgress } from '../contracts/host.js';
import { queuedCount } from '../contracts/totals.js';

/** The UI cuts labels at 120 characters. */
const SUMMARY_CHARS = 120;

export function summary(text: string): string {
  return text.length <= SUMMARY_CHARS ? text : `${text.slice(0, SUMMARY_CHARS - 1)}…`;
}

/** Longest text of strangers that is shown. */
const CODE_CHARS = 500;

/** URLs come from strangers: keep them from acting as Markdown, whose lines end a code span too. */
function code(text: string): string {
  const line = text.replace(/\s+/g, ' ').replaceAll('`', '%60');
  return `\`${line.length <= CODE_CHARS ? line : `${line.slice(0, CODE_CHARS)}…`}\``;
}

/** A host's name may hold characters of Markdown, such as `*` and `_`. */
const name = (hostKey: string) => (/^[a-z0-9.:-]{1,253}$/.test(hostKey) ? hostKey : code(hostKey));

export function hostDetails(progress: HostProgress): string {
  const lines = [
    `**${name(progress.hostKey)}** is **${progress.state}**${progress.reason ? `: ${progress.reason}` : ''}`,
    '',
    // No table: the UI renders tables without space between the columns.
    `- so far: ${progress.fetched} fetched, ${progress.redirected} redirected, ${progress.skipped} skipped, ${progress.failed} failed, ${progress.retried} retried`,
    `- queued: ${progress.queued}`,
  ];
  if (progress.lastUrl)
    lines.push(`- last: ${code(progress.lastUrl)} ${progress.lastOutcome ?? ''}`);
  if (progress.nextUrl) lines.push(`- next: ${code(progress.nextUrl)}`);
  if (progress.nextAt) lines.push(`- not before: ${progress.nextAt}`);
  return lines.join('\n');
}

export function crawlDetails(progress: CrawlProgress): string {
  const t = progress.totals;
  const lines = [
    `**${progress.crawlId}** is **${progress.state}**${progress.finishReason ? ` (${progress.finishReason})` : ''}`,
    '',
    `- URLs: ${t.discovered} discovered, ${t.fetched} fetched, ${t.redirected} redirected, ${t.skipped} skipped, ${t.failed} failed, ${queuedCount(t)} queued`,
    `- hosts: ${t.hosts} known, ${t.placedHosts} active, ${t.runningHosts} with a run, ${t.pendingHosts} waiting for a place`,
    `- bytes: ${t.bytes}, retries: ${t.retries}`,
  ];
  for (const { seed, reason } of progress.refusedSeeds.slice(0, 20)) {
    lines.push(`- refused seed ${code(seed)}: ${reason}`);
  }
  return lines.join('\n');
}
