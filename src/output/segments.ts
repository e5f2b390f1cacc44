/**
 * Segments as readers see them: their names, and their lines as far as they are whole. A kill may
 * tear the last line of a segment; readers drop what is torn or broken and count it.
 */

import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OutputError } from '../errors.js';

/** Which outcomes a segment holds: failures, or all others. */
export type SegmentStream = 'pages' | 'failures';

/** What a segment's name says. */
export interface SegmentId {
  readonly stream: SegmentStream;
  /** Process start that wrote it. */
  readonly writer: string;
  /** Counts the segments of one writer over both streams, from 1. */
  readonly number: number;
}

/** A segment found in a folder. */
export interface Segment extends SegmentId {
  readonly path: string;
}

/** Whole lines of a segment, in order. */
export interface LineBatch {
  /** Without line ends; a line over the bound is an empty one here. */
  readonly lines: readonly string[];
  /** Where the last of them ends, after its line end. */
  readonly endOffset: number;
}

const NAME = /^(pages|failures)-([A-Za-z0-9._-]+)-(\d+)\.jsonl$/;
const CHUNK_BYTES = 1024 ** 2;
/** No record is near this long: a longer line is broken, and must not fill the memory. */
const MAX_LINE_BYTES = 16 * 1024 ** 2;
const NEWLINE = 0x0a;

/** File name of a segment. */
export function segmentName({ stream, writer, number }: SegmentId): string {
  const name = `${stream}-${writer}-${String(number).padStart(6, '0')}.jsonl`;
  if (NAME.test(name)) return name;
  throw new TypeError(`writer: expected letters, digits, ".", "_" or "-", got "${writer}"`);
}

/**
 * All segments of a crawl, by writer and number, which is the order of writing within a process.
 *
 * @throws OUTPUT_READ where there is no such folder
 */
export async function listSegments(dir: string): Promise<Segment[]> {
  const names = await readdir(dir).catch((error: unknown) => {
    throw readError(dir, error);
  });
  const segments = names.flatMap((name): Segment[] => {
    const match = NAME.exec(name);
    if (match === null) return [];
    const [, stream, writer = '', number] = match;
    const id = { stream: stream as SegmentStream, writer, number: Number(number) };
    return [{ ...id, path: join(dir, name) }];
  });
  return segments.sort(
    (a, b) =>
      compareText(a.writer, b.writer) || a.number - b.number || compareText(a.stream, b.stream),
  );
}

/**
 * Stream the whole lines of a file in batches of about a megabyte. What follows the last line end
 * is torn, or still being written: it is left out.
 *
 * @param endOffset read no further than this; to see again what an earlier pass saw
 * @returns the number of bytes left out at the end, once all batches are taken
 * @throws OUTPUT_READ
 */
export async function* readLines(
  path: string,
  endOffset = Infinity,
): AsyncGenerator<LineBatch, number> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw readError(path, error);
  });
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const line = new LongLine();
    let offset = 0;
    for (;;) {
      const length = Math.min(CHUNK_BYTES, endOffset - offset);
      const bytesRead = length > 0 ? (await file.read(chunk, 0, length, offset)).bytesRead : 0;
      if (bytesRead === 0) return line.length;
      offset += bytesRead;
      const data = chunk.subarray(0, bytesRead);
      const last = data.lastIndexOf(NEWLINE);
      if (last >= 0) {
        const first = data.indexOf(NEWLINE);
        line.add(data.subarray(0, first));
        const lines = [line.take()];
        if (last > first) lines.push(...data.toString('utf8', first + 1, last).split('\n'));
        yield { lines, endOffset: offset - bytesRead + last + 1 };
      }
      line.add(data.subarray(last + 1));
    }
  } catch (error) {
    throw error instanceof OutputError ? error : readError(path, error);
  } finally {
    await file.close();
  }
}

/** A line that spans chunks; past the bound its text is let go and only its length is known. */
class LongLine {
  length = 0;
  private parts: Buffer[] = [];

  add(part: Buffer): void {
    if (part.length === 0) return;
    this.length += part.length;
    if (this.length > MAX_LINE_BYTES) this.parts = [];
    else this.parts.push(Buffer.from(part));
  }

  take(): string {
    const text = Buffer.concat(this.parts).toString('utf8');
    this.length = 0;
    this.parts = [];
    return text;
  }
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function readError(path: string, cause: unknown): OutputError {
  const { code = 'unknown', message = '' } = cause as Partial<NodeJS.ErrnoException>;
  const hint =
    code === 'ENOENT'
      ? 'nothing has been stored there; check the crawl id and the output folder (out)'
      : 'check that it may be read and that its disk is sound';
  return new OutputError(
    'OUTPUT_READ',
    `${path}: crawl output can't be read, ${message}; ${hint}`,
    {
      cause,
      details: { path, errno: code },
    },
  );
}
