/** What a crawl's output says of one URL. Streamed, whatever its size; no further than a bound. */
import { stat } from 'node:fs/promises';
import type { SinkRecord, UrlKind } from '../../contracts/urls.js';
import { parseRecordLine } from '../../output/record-lines.js';
import { listSegments, readLines } from '../../output/segments.js';

/** Bytes of the output that are read: some ten seconds. */
export const MAX_OUTPUT_BYTES = 4 * 1024 ** 3;
/** Pages that redirect to the URL of which are told. */
const SOURCES_TOLD = 5;
const WORTH_PARSING = /"(?:redirected|sitemap)"/;

/** What was found. */
export interface OutputTrace {
  /** The last record of the URL, by kind. */
  readonly records: Partial<Record<UrlKind, SinkRecord>>;
  /** URLs that redirect to it, five at most. */
  readonly redirectedFrom: readonly string[];
  /** The output is larger than the bound: there may be more in the rest. */
  readonly isCutShort: boolean;
}

/** What is looked for. */
export interface OutputQuery {
  /** Of the URL as a page; as a sitemap it has one for each domain that vouches for it. */
  readonly fingerprint: string;
  /** Is this the URL? Asked for sitemaps and for the targets of redirects. */
  readonly matches: (url: string) => boolean;
  /** Default {@link MAX_OUTPUT_BYTES}. */
  readonly maxBytes?: number;
}

/**
 * Read the output of a crawl once.
 *
 * @param dir the crawl's folder, `<out>/<crawlId>`
 * @throws OUTPUT_READ
 */
export async function traceOutput(dir: string, query: OutputQuery): Promise<OutputTrace> {
  const records: Partial<Record<UrlKind, SinkRecord>> = {};
  const sources = new Set<string>();
  const { fingerprint, matches } = query;
  const isOurs = ({ kind, fingerprint: theirs, url }: SinkRecord) =>
    kind === 'page' ? theirs === fingerprint : matches(url);
  let left = query.maxBytes ?? MAX_OUTPUT_BYTES;
  const take = (line: string): void => {
    // Most lines are not worth parsing.
    if (!WORTH_PARSING.test(line) && !line.includes(fingerprint)) return;
    const record = parseRecordLine(line);
    if (record === undefined) return;
    if (isOurs(record)) {
      const known = records[record.kind];
      if (known === undefined || !isEarlier(record, known)) records[record.kind] = record;
    } else if (record.outcome === 'redirected' && sources.size < SOURCES_TOLD) {
      if (matches(record.finalUrl)) sources.add(record.url);
    }
  };
  let isCutShort = false;
  for (const segment of await listSegments(dir)) {
    const { size } = await stat(segment.path);
    isCutShort = size > left;
    for await (const { lines } of readLines(segment.path, Math.min(size, left)))
      lines.forEach(take);
    left -= size;
    if (isCutShort) break;
  }
  return { records, redirectedFrom: [...sources], isCutShort };
}

/** The order of several records of one URL: by owner, turn, attempt, as `export` has it. */
function isEarlier(a: SinkRecord, b: SinkRecord): boolean {
  if (a.owner !== b.owner) return a.owner < b.owner;
  return a.turn === b.turn ? a.attempt < b.attempt : a.turn < b.turn;
}
