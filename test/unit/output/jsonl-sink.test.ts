import { mkdir, mkdtemp, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PageRecord } from '../../../src/contracts/urls.js';
import { exportRecords } from '../../../src/output/export.js';
import { newWriterId, openJsonlSink } from '../../../src/output/jsonl-sink.js';
import { createFile, type CreateFile } from '../../../src/output/segment-file.js';
import { listSegments } from '../../../src/output/segments.js';
import { numbers, recordOf, urlOf } from './record-builder.js';

let root: string;
let dir: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'orbweaver-sink-'));
  dir = join(root, 'out', 'crawl-1');
});
afterEach(() => rm(root, { recursive: true }));

async function exported(): Promise<PageRecord[]> {
  const records: PageRecord[] = [];
  for await (const record of exportRecords({ dir, select: 'all' })) records.push(record);
  return records;
}

/** Real files whose syncs are counted and held until released, or fail as told. */
function watchedFiles(onSync: () => Promise<void>): CreateFile {
  return async (path) => {
    const handle = await createFile(path);
    return {
      write: handle.write.bind(handle),
      close: () => handle.close(),
      datasync: async () => {
        await onSync();
        await handle.datasync();
      },
    };
  };
}

describe('openJsonlSink', () => {
  it('starts anew where its folder was removed or moved meanwhile', async () => {
    const sink = openJsonlSink({ dir, writer: 'w' });
    await sink.append([recordOf(1)]);
    await rm(dir, { recursive: true });
    await sink.append([recordOf(2)]);
    expect((await exported()).map(({ url }) => url)).toEqual([urlOf(2)]);
    await rename(dir, `${dir}-moved`);
    await sink.append([recordOf(3)]);
    expect((await exported()).map(({ url }) => url)).toEqual([urlOf(3)]);
    await sink.close();
  });

  it('writes nothing before the first record, then only the files that it needs', async () => {
    const sink = openJsonlSink({ dir, writer: 'w' });
    await sink.append([]);
    expect(await readdir(root)).toEqual([]);
    await sink.append([recordOf(1)]);
    expect(await readdir(dir)).toEqual(['pages-w-000001.jsonl']);
    await sink.append([recordOf(2, { outcome: 'failed', reason: 'FETCH_RESET' })]);
    await sink.append([recordOf(3, { outcome: 'skipped', reason: 'robotsTxt' })]);
    await sink.close();
    expect((await readdir(dir)).sort()).toEqual([
      'failures-w-000002.jsonl',
      'pages-w-000001.jsonl',
    ]);
    const lines = (await readFile(join(dir, 'pages-w-000001.jsonl'), 'utf8')).split('\n');
    expect(lines.slice(0, -1).map((line) => JSON.parse(line) as unknown)).toEqual([
      recordOf(1),
      recordOf(3, { outcome: 'skipped', reason: 'robotsTxt' }),
    ]);
    expect(lines.at(-1)).toBe('');
  });

  it('resolves an append only after a sync, and syncs all that gathered meanwhile once', async () => {
    const syncs: (() => void)[] = [];
    const arrivals: (() => void)[] = [];
    const held = watchedFiles(
      () =>
        new Promise((release) => {
          syncs.push(release);
          arrivals.shift()?.();
        }),
    );
    const syncBegins = () => new Promise<void>((resolve) => arrivals.push(resolve));
    const sink = openJsonlSink({ dir, writer: 'w', createFile: held });
    const resolved: number[] = [];
    const append = (id: number) => sink.append([recordOf(id)]).then(() => resolved.push(id));

    const firstSync = syncBegins();
    const first = [append(1), append(2)];
    await firstSync;
    const others = numbers(3, 100).map(append);
    expect(resolved).toEqual([]);
    const secondSync = syncBegins();
    syncs[0]?.();
    await Promise.all(first);
    await secondSync;
    expect(resolved).toEqual([1, 2]);
    syncs[1]?.();
    await Promise.all(others);
    expect(resolved).toEqual(numbers(1, 102));
    expect(syncs).toHaveLength(2);
    await sink.close();
  });

  it('starts another segment past the size bound, and none for nothing', async () => {
    const sink = openJsonlSink({ dir, writer: 'w', maxSegmentBytes: 2000 });
    for (const id of numbers(0, 30)) await sink.append([recordOf(id)]);
    await sink.close();
    const sizes = await Promise.all(
      (await listSegments(dir)).map(async ({ path }) => (await stat(path)).size),
    );
    expect(sizes.length).toBeGreaterThan(5);
    for (const size of sizes) expect(size).toBeGreaterThan(0);
    for (const size of sizes.slice(0, -1)) expect(size).toBeLessThan(2000 + 1000);
    expect((await exported()).map((record) => record.url)).toEqual(numbers(0, 30).map(urlOf));
  });

  it('never opens a segment of another, not even of the same name', async () => {
    await mkdir(dir, { recursive: true });
    const foreign = await open(join(dir, 'pages-w-000001.jsonl'), 'w');
    await foreign.writeFile('{"url":"torn');
    await foreign.close();
    const sink = openJsonlSink({ dir, writer: 'w' });
    await sink.append([recordOf(1)]);
    await sink.close();
    expect(await readFile(join(dir, 'pages-w-000001.jsonl'), 'utf8')).toBe('{"url":"torn');
    expect(await exported()).toHaveLength(1);
  });

  it('lets appends under way finish on close and refuses later ones', async () => {
    const sink = openJsonlSink({ dir, writer: 'w' });
    const appends = numbers(0, 50).map((id) => sink.append([recordOf(id)]));
    await sink.close();
    await Promise.all(appends);
    expect(await exported()).toHaveLength(50);
    await expect(sink.append([recordOf(51)])).rejects.toMatchObject({ code: 'OUTPUT_WRITE' });
  });

  it('gives each process start a writer id of its own that sorts by time', () => {
    const ids = numbers(0, 50).map(() => newWriterId());
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) expect(id).toMatch(/^\d{13}-\d+-[0-9a-f]{8}$/);
    expect(() => openJsonlSink({ dir, writer: '../x' })).toThrow(/writer: expected letters/);
  });
});

describe('openJsonlSink on a failing disk', () => {
  it('rejects every append of a group on a full disk, then goes on in a new segment', async () => {
    let isFull = true;
    // /dev/full takes no byte: the system's own ENOSPC.
    const create: CreateFile = (path) => (isFull ? open('/dev/full', 'w') : createFile(path));
    const sink = openJsonlSink({ dir, writer: 'w', createFile: create });
    const appends = numbers(0, 10).map((id) => sink.append([recordOf(id)]));
    for (const result of await Promise.allSettled(appends)) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'OUTPUT_WRITE', retryable: true, details: { errno: 'ENOSPC' } },
      });
      expect(String((result as PromiseRejectedResult).reason)).toMatch(/free space/);
    }
    isFull = false;
    await Promise.all(numbers(0, 10).map((id) => sink.append([recordOf(id)])));
    await sink.close();
    expect((await exported()).map((record) => record.url)).toEqual(numbers(0, 10).map(urlOf));
  });

  it('gives a segment up after a failed sync, and a repeated append is exported once', async () => {
    let syncs = 0;
    const create = watchedFiles(() => {
      syncs += 1;
      if (syncs !== 2) return Promise.resolve();
      return Promise.reject(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' }));
    });
    const sink = openJsonlSink({ dir, writer: 'w', createFile: create });
    await sink.append([recordOf(1)]);
    const failing = Promise.allSettled([sink.append([recordOf(2)]), sink.append([recordOf(3)])]);
    expect((await failing).map((result) => result.status)).toEqual(['rejected', 'rejected']);
    await sink.append([recordOf(2), recordOf(3)]);
    await sink.close();
    expect(await listSegments(dir)).toHaveLength(2);
    expect((await exported()).map((record) => record.url).sort()).toEqual(
      [1, 2, 3].map(urlOf).sort(),
    );
  });

  it('says which folder can not be made', async () => {
    const blocked = join(root, 'file');
    await (await open(blocked, 'w')).close();
    const sink = openJsonlSink({ dir: join(blocked, 'crawl'), writer: 'w' });
    await expect(sink.append([recordOf(1)])).rejects.toThrow(/file\/crawl: .*ENOTDIR/);
  });
});
