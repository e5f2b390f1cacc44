/** What became of the seeds: each that brought no page is said, with what to do about it. */
import { join } from 'node:path';
import type { CrawlStatus, HostStatus } from '../contracts/frontier.js';
import type { CrawlSettings } from '../contracts/settings.js';
import type { SinkRecord } from '../contracts/urls.js';
import type { RefusedSeed } from '../contracts/crawl.js';
import { parseRecordLine } from '../output/record-lines.js';
import { listSegments, readLines } from '../output/segments.js';
import { fingerprintOf } from '../url/canonical-url.js';
import { hostKey } from '../url/host-key.js';
import { parseUrl } from '../url/parse-url.js';
import { plain } from './display/format.js';
import { whyNotYet } from './display/host-lines.js';
import { remedyOf } from './remedies.js';

/** Seeds are fetched first: their records are near the beginning of the output. */
const MAX_READ_BYTES = 32 * 1024 ** 2;
const MAX_LINES = 20;

/** What a report is made of. */
export interface SeedFacts {
  readonly status: CrawlStatus;
  readonly refusedSeeds: readonly RefusedSeed[];
  readonly hosts: readonly HostStatus[];
  /** Newest record by the seed's fingerprint. */
  readonly records: ReadonlyMap<string, SinkRecord>;
  /** Is a redirect's target in scope? */
  readonly isInScope: (url: string) => boolean;
}

/** Lines about seeds that brought no page; empty when all did. Pure. */
export function seedLines(facts: SeedFacts): string[] {
  const { status, refusedSeeds } = facts;
  const lines = refusedSeeds.map(
    ({ seed, reason }) => `seed refused: ${plain(seed)}: ${plain(reason)}`,
  );
  const refused = new Set(refusedSeeds.map(({ seed }) => parseUrl(seed) ?? seed));
  for (const seed of status.seeds) {
    const url = parseUrl(seed);
    if (url === null || refused.has(url)) continue;
    const line = lineOf(url, facts);
    if (line !== null) lines.push(line);
  }
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `and more seeds like these; the export lists every URL`];
}

function lineOf(url: string, { status, hosts, records, isInScope }: SeedFacts): string | null {
  const record = records.get(fingerprintOf(url, status.settings.canonical));
  if (record === undefined) {
    const host = hosts.find((one) => one.hostKey === hostKey(url));
    if (host && (host.queued > 0 || host.state === 'blocked')) {
      const why = whyNotYet(host, Date.now());
      return `seed not fetched: ${url}: ${why}; ${remedyOf(host.reason ?? host.state, url)}`;
    }
    // Its record may lie further on in a large output.
    return null;
  }
  const { outcome, reason, finalUrl } = record;
  if (outcome === 'redirected') {
    if (isInScope(finalUrl)) return null;
    return (
      `seed redirects out of scope: ${url} to ${plain(finalUrl)}; start from there, or widen ` +
      `--scope (it is ${status.settings.scope}) or --include`
    );
  }
  if (outcome === 'skipped' || outcome === 'failed') {
    const what = reason ?? outcome;
    return `seed ${outcome}: ${url}: ${plain(what)}; ${remedyOf(what, url)}`;
  }
  return null;
}

/** The newest records of some URLs, as far as the first part of each segment tells. */
export async function readSeedRecords(
  settings: Pick<CrawlSettings, 'out' | 'canonical'>,
  crawlId: string,
  seeds: readonly string[],
): Promise<Map<string, SinkRecord>> {
  const wanted = new Set<string>();
  for (const seed of seeds) {
    const url = parseUrl(seed);
    if (url !== null) wanted.add(fingerprintOf(url, settings.canonical));
  }
  const found = new Map<string, SinkRecord>();
  const segments = await listSegments(join(settings.out, crawlId)).catch(() => []);
  for (const segment of segments) {
    for await (const batch of readLines(segment.path)) {
      for (const line of batch.lines) {
        const record = parseRecordLine(line);
        if (!record || !wanted.has(record.fingerprint)) continue;
        const before = found.get(record.fingerprint);
        if (!before || isNewer(record, before)) found.set(record.fingerprint, record);
      }
      if (batch.endOffset > MAX_READ_BYTES) break;
    }
  }
  return found;
}

function isNewer(a: SinkRecord, b: SinkRecord): boolean {
  if (a.owner !== b.owner) return a.owner > b.owner;
  return a.turn !== b.turn ? a.turn > b.turn : a.attempt >= b.attempt;
}
