/** Exactly one record per URL out of all segments of a crawl, also while it still writes. */

import type { PageRecord, SinkRecord } from '../contracts/urls.js';
import { LatestRecords } from './latest-records.js';
import { parseRecordLine, toPageRecord } from './record-lines.js';
import { listSegments, readLines, type Segment } from './segments.js';

/** Stored pages (fetched, notModified, duplicate), failures, or every outcome. */
export type ExportSelection = 'pages' | 'failures' | 'all';

/** What an export met, told once its last record has been taken. */
export interface ExportReport {
  readonly segments: number;
  /** Records exported. */
  readonly records: number;
  /** Records that a later one of the same URL replaced. */
  readonly replaced: number;
  /** Lines that held no record: torn by a kill, or broken on disk. */
  readonly droppedLines: number;
}

/** Options of `exportRecords`. */
export interface ExportOptions {
  /** The crawl's folder, `<out>/<crawlId>`. */
  readonly dir: string;
  readonly select: ExportSelection;
  readonly onReport?: (report: ExportReport) => void;
}

interface ScannedSegment extends Segment {
  /** End of what the first pass saw; what is written later belongs to a later export. */
  readonly endOffset: number;
}

interface Scan {
  readonly segments: readonly ScannedSegment[];
  readonly wanted: Uint8Array;
  readonly replaced: number;
  readonly droppedLines: number;
}

const STORED = new Set(['fetched', 'notModified', 'duplicate']);

/**
 * The last record of each URL by (owner, turn, attempt), in the order of the segments. Lists of
 * URLs (sitemaps) are left out. Two passes over the files; in between only 48 to 96 bytes a URL
 * (see `LatestRecords`) and then a bit a line are held.
 *
 * @throws OUTPUT_READ
 */
export async function* exportRecords(options: ExportOptions): AsyncGenerator<PageRecord, void> {
  const scan = await scanSegments(options.dir, options.select);
  let line = 0;
  let records = 0;
  for (const segment of scan.segments) {
    for await (const batch of readLines(segment.path, segment.endOffset)) {
      for (const text of batch.lines) {
        const isWanted = ((scan.wanted[line >>> 3] ?? 0) & (1 << (line & 7))) !== 0;
        line += 1;
        const record = isWanted ? parseRecordLine(text) : undefined;
        if (record === undefined) continue;
        records += 1;
        yield toPageRecord(record);
      }
    }
  }
  const { segments, replaced, droppedLines } = scan;
  options.onReport?.({ segments: segments.length, records, replaced, droppedLines });
}

async function scanSegments(dir: string, select: ExportSelection): Promise<Scan> {
  const latest = new LatestRecords();
  const segments: ScannedSegment[] = [];
  let line = 0;
  let found = 0;
  let droppedLines = 0;
  for (const segment of await listSegments(dir)) {
    let endOffset = 0;
    const reader = readLines(segment.path);
    let step = await reader.next();
    for (; !step.done; step = await reader.next()) {
      for (const text of step.value.lines) {
        const record = parseRecordLine(text);
        if (record === undefined) droppedLines += 1;
        else {
          found += 1;
          latest.offer(record, line, isSelected(record, select));
        }
        line += 1;
      }
      endOffset = step.value.endOffset;
    }
    if (step.value > 0) droppedLines += 1;
    segments.push({ ...segment, endOffset });
  }
  const wanted = latest.wantedLines(line);
  return { segments, wanted, replaced: found - latest.size, droppedLines };
}

function isSelected(record: SinkRecord, select: ExportSelection): boolean {
  if (record.kind === 'sitemap') return false;
  if (select === 'all') return true;
  return select === 'failures' ? record.outcome === 'failed' : STORED.has(record.outcome);
}
