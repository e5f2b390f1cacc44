/** One line of a segment as a record, and a record as `export` shows it. */

import type { PageRecord, SinkRecord } from '../contracts/urls.js';

/** The record on a line, or undefined where the line holds none (torn, foreign, zero-filled). */
export function parseRecordLine(line: string): SinkRecord | undefined {
  if (!line.startsWith('{')) return undefined;
  let value: Partial<SinkRecord>;
  try {
    value = JSON.parse(line) as Partial<SinkRecord>;
  } catch {
    return undefined;
  }
  const isRecord =
    typeof value.url === 'string' &&
    typeof value.outcome === 'string' &&
    typeof value.fingerprint === 'string' &&
    typeof value.owner === 'string' &&
    isCount(value.turn) &&
    isCount(value.attempt);
  return isRecord ? (value as SinkRecord) : undefined;
}

/** The record as people get it, keys in their documented order, without what only sorts it. */
export function toPageRecord(record: SinkRecord): PageRecord {
  return {
    url: record.url,
    finalUrl: record.finalUrl,
    outcome: record.outcome,
    reason: record.reason,
    status: record.status,
    contentType: record.contentType,
    bytes: record.bytes,
    digest: record.digest,
    // Records of older segments have none.
    textDigest: record.textDigest ?? null,
    depth: record.depth,
    hops: record.hops,
    via: record.via,
    title: record.title,
    fetchedAt: record.fetchedAt,
    fetchMs: record.fetchMs,
    links: record.links,
    truncated: record.truncated ?? false,
    noindex: record.noindex ?? false,
  };
}

/** Turn and attempt are kept in 32 bits while they are compared. */
function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xffffffff;
}
