/** One segment being written: created new, written in whole groups, synced, never opened again. */

import { access, open, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolders } from '../folders.js';

/** What a segment needs of its file; the seam through which tests inject faults. */
export type SegmentHandle = Pick<FileHandle, 'write' | 'datasync' | 'close'>;

/** Creates a file that must not exist yet (fails with EEXIST). */
export type CreateFile = (path: string) => Promise<SegmentHandle>;

/** Really on disk, and failing with EEXIST rather than touching what somebody else wrote. */
export const createFile: CreateFile = (path) => open(path, 'wx');

/** A segment that is open for writing. */
export interface SegmentFile {
  readonly path: string;
  /** Bytes written so far. */
  readonly size: () => number;
  /** Is it still under its name? What is written to a removed file, nobody ever reads. */
  isThere(): Promise<boolean>;
  /** Write all of it at the end. After an error the segment must be given up: its end may be torn. */
  write(data: Buffer): Promise<void>;
  /** Resolves when everything written has reached the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Create a segment and make its name durable: a file whose folder entry is lost in a power cut is
 * lost with all its synced content.
 */
export async function createSegment(
  dir: string,
  name: string,
  create: CreateFile,
): Promise<SegmentFile> {
  const path = join(dir, name);
  const handle = await create(path);
  try {
    await syncFolder(dir);
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
  let written = 0;
  return {
    path,
    size: () => written,
    isThere: async () => {
      try {
        await access(path);
        return true;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code !== 'ENOENT';
      }
    },
    write: async (data) => {
      let offset = 0;
      // A write may take only a part, on a nearly full disk for one.
      while (offset < data.length) {
        const { bytesWritten } = await handle.write(data, offset, data.length - offset, null);
        offset += bytesWritten;
        written += bytesWritten;
      }
    },
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

/** Create a folder with its parents and make their names durable. */
export async function createFolder(dir: string): Promise<void> {
  const first = makeFolders(dir);
  if (first === undefined) return;
  const top = dirname(resolve(first));
  for (let folder = resolve(dir); folder !== top; folder = dirname(folder)) {
    await syncFolder(dirname(folder));
  }
}

async function syncFolder(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems know no sync of a folder; they offer nothing better.
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'EINVAL' && code !== 'ENOTSUP' && code !== 'EPERM') throw error;
  } finally {
    await handle.close();
  }
}
