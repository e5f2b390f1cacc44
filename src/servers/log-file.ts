/** Log files of servers: opened for appending, kept from growing for ever, quoted in errors. */
import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolders } from '../folders.js';

/** A log beyond this is set aside (one generation) when it is opened. */
const MAX_LOG_BYTES = 10 * 1024 * 1024;
/** So much of a log is quoted. */
const QUOTED_BYTES = 2_000;

/** Open a log for appending; the caller closes the descriptor. */
export function openLog(file: string): number {
  makeFolders(dirname(file));
  if (logSize(file) > MAX_LOG_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a');
}

/** Size in bytes; 0 when there is none. */
export function logSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The last of what was written to a log since it had `from` bytes. */
export function endOfLog(file: string, from: number): string {
  const size = logSize(file);
  // Smaller than before: it was set aside meanwhile.
  const start = Math.max(size >= from ? from : 0, size - QUOTED_BYTES);
  if (size === start) return '(empty)';
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(size - start);
    readSync(handle, buffer, 0, buffer.length, start);
    return buffer.toString('utf8').trimEnd();
  } finally {
    closeSync(handle);
  }
}
