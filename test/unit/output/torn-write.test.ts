/** A write that the system cuts short leaves a torn line; nothing of the crawl is lost by it. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportRecords, type ExportReport } from '../../../src/output/export.js';
import { numbers, urlOf } from './record-builder.js';

const CHILD = fileURLToPath(new URL('./file-size-limit-child.ts', import.meta.url));
const COUNT = 600;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'orbweaver-torn-'));
});
afterEach(() => rm(dir, { recursive: true }));

describe('openJsonlSink under a file size limit', () => {
  it('tears lines, starts new segments, and exports each record once', async () => {
    // 256 blocks of 512 bytes in sh: three segments' worth of records for one.
    const script = 'ulimit -f 256 && exec "$0" --import tsx "$1" "$2" "$3"';
    const args = ['-c', script, process.execPath, CHILD, dir, String(COUNT)];
    const { stdout } = await promisify(execFile)('sh', args);
    expect(stdout).toMatch(/^OUTPUT_WRITE EFBIG\n/);
    const failures = Number(/failures (\d+)/.exec(stdout)?.[1]);
    expect(failures).toBeGreaterThan(1);

    let report: ExportReport | undefined;
    const urls: string[] = [];
    const onReport = (told: ExportReport) => (report = told);
    for await (const { url } of exportRecords({ dir, select: 'pages', onReport })) urls.push(url);
    expect(urls.length).toBe(COUNT);
    expect([...urls].sort()).toEqual(numbers(0, COUNT).map(urlOf).sort());
    expect(report).toMatchObject({ segments: failures + 1, records: COUNT });
    expect(report?.droppedLines).toBeGreaterThan(0);
    expect(report?.droppedLines).toBeLessThanOrEqual(failures);
  }, 60_000);
});
