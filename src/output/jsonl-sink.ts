/**
 * Pages and failures as JSON lines in segment files, durable in groups: what many hosts append
 * while one sync runs is written and synced together by the next. One writer, one process start,
 * one set of segments; nobody ever opens a segment of another for writing.
 */

import { randomBytes } from 'node:crypto';
import type { SinkRecord } from '../contracts/urls.js';
import { OutputError } from '../errors.js';
import type { PageSink } from './sink.js';
import {
  createFile,
  createFolder,
  createSegment,
  type CreateFile,
  type SegmentFile,
} from './segment-file.js';
import { segmentName, type SegmentStream } from './segments.js';

/** Options of `openJsonlSink`. */
export interface JsonlSinkOptions {
  /** The crawl's folder, `<out>/<crawlId>`; created with the first record, not before. */
  readonly dir: string;
  /** Unique per process start, see `newWriterId`; letters, digits, `.`, `_`, `-`. */
  readonly writer: string;
  /** A segment that has reached this size is closed and followed by another. Default 256 MiB. */
  readonly maxSegmentBytes?: number;
  /** How segment files are created; for tests of disk faults. */
  readonly createFile?: CreateFile;
}

const MAX_SEGMENT_BYTES = 256 * 1024 ** 2;
/** Text encoded at once; further appends wait unencoded, as cheap as their callers hold them. */
const MAX_GROUP_BYTES = 4 * 1024 ** 2;

interface Waiting {
  readonly records: readonly SinkRecord[];
  readonly resolve: () => void;
  readonly reject: (error: OutputError) => void;
}

/** A writer id: start time in ms (so that names sort by it), process id, some chance. */
export function newWriterId(): string {
  const startMs = String(Date.now()).padStart(13, '0');
  return `${startMs}-${String(process.pid)}-${randomBytes(4).toString('hex')}`;
}

/**
 * A sink that writes `pages-<writer>-<n>.jsonl` and `failures-<writer>-<n>.jsonl` into a folder.
 * Failed outcomes go to the second, all others to the first; empty files are never made.
 *
 * A group that can't be written rejects all its appends (OUTPUT_WRITE, retryable) and gives its
 * segments up, because their ends may be torn and a failed sync leaves nothing to rely on; the next
 * append starts new ones.
 *
 * @throws TypeError for a writer id that can be no part of a file name
 */
export function openJsonlSink(options: JsonlSinkOptions): PageSink {
  const { dir, writer, maxSegmentBytes = MAX_SEGMENT_BYTES } = options;
  const create = options.createFile ?? createFile;
  // A writer id that makes no file name is the caller's slip: told now, not with the first record.
  segmentName({ stream: 'pages', writer, number: 1 });
  const segments = new Map<SegmentStream, SegmentFile>();
  const waiting: Waiting[] = [];
  let nextNumber = 1;
  let flushing: Promise<void> | undefined;
  let closed = false;

  async function segmentFor(stream: SegmentStream): Promise<SegmentFile> {
    const open = segments.get(stream);
    if (open !== undefined) {
      if (await open.isThere()) return open;
      // The crawl was deleted with its output, or somebody moved the folder.
      segments.delete(stream);
      await closeQuietly(open);
    }
    await createFolder(dir);
    for (;;) {
      const name = segmentName({ stream, writer, number: nextNumber });
      nextNumber += 1;
      try {
        const segment = await createSegment(dir, name, create);
        segments.set(stream, segment);
        return segment;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }

  async function write(stream: SegmentStream, lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const segment = await segmentFor(stream);
    await segment.write(Buffer.from(lines.join('')));
    await segment.sync();
    if (segment.size() >= maxSegmentBytes) {
      segments.delete(stream);
      await closeQuietly(segment);
    }
  }

  async function writeGroup(): Promise<void> {
    const group: Waiting[] = [];
    try {
      const lines = takeGroup(waiting, group);
      const results = await Promise.allSettled([
        write('pages', lines.pages),
        write('failures', lines.failures),
      ]);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      for (const append of group) append.resolve();
    } catch (cause) {
      const open = [...segments.values()];
      segments.clear();
      await Promise.all(open.map(closeQuietly));
      const error = writeError(dir, cause);
      for (const append of group) append.reject(error);
    }
  }

  async function flush(): Promise<void> {
    // Let everything that is appended in this tick join the first group.
    await undefined;
    while (waiting.length > 0) await writeGroup();
    flushing = undefined;
  }

  return {
    append: (records) => {
      if (closed) return Promise.reject(closedError(dir));
      if (records.length === 0) return Promise.resolve();
      return new Promise<void>((resolve, reject) => {
        waiting.push({ records, resolve, reject });
        flushing ??= flush();
      });
    },
    close: async () => {
      closed = true;
      await flushing;
      const open = [...segments.values()];
      segments.clear();
      await Promise.all(open.map(closeQuietly));
    },
  };
}

/** Move whole appends from `waiting` to `group` until the group's text is large enough. */
function takeGroup(waiting: Waiting[], group: Waiting[]): Record<SegmentStream, string[]> {
  const lines: Record<SegmentStream, string[]> = { pages: [], failures: [] };
  let length = 0;
  while (length < MAX_GROUP_BYTES) {
    const append = waiting.shift();
    if (append === undefined) break;
    group.push(append);
    for (const record of append.records) {
      const line = `${JSON.stringify(record)}\n`;
      length += line.length;
      lines[record.outcome === 'failed' ? 'failures' : 'pages'].push(line);
    }
  }
  return lines;
}

async function closeQuietly(segment: SegmentFile): Promise<void> {
  // Everything that counts has been synced; a failing close can't take it back.
  await segment.close().catch(() => undefined);
}

function writeError(dir: string, cause: unknown): OutputError {
  const { code = 'unknown', message = '' } = cause as Partial<NodeJS.ErrnoException>;
  const remedy =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'free space or raise the quota there; the crawl tries again by itself'
      : 'check that the folder exists, is writable and its disk is sound';
  return new OutputError(
    'OUTPUT_WRITE',
    `${dir}: records can't be written, ${message}; ${remedy}`,
    {
      retryable: true,
      cause,
      details: { dir, errno: code },
    },
  );
}

function closedError(dir: string): OutputError {
  return new OutputError('OUTPUT_WRITE', `${dir}: this sink is closed; append to an open one`, {
    retryable: true,
    details: { dir },
  });
}
