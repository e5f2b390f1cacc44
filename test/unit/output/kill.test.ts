/** What a kill -9 of the writing process leaves behind, with real processes and real files. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PageRecord } from '../../../src/contracts/urls.js';
import { exportRecords } from '../../../src/output/export.js';
import { listSegments } from '../../../src/output/segments.js';
import { urlOf } from './record-builder.js';

const CHILD = fileURLToPath(new URL('./writer-child.ts', import.meta.url));
const KILLS = 20;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'orbweaver-kill-'));
});
afterEach(() => rm(dir, { recursive: true }));

async function exported(): Promise<Map<string, PageRecord>> {
  const found = new Map<string, PageRecord>();
  for await (const record of exportRecords({ dir, select: 'all' })) {
    expect(found.has(record.url)).toBe(false);
    found.set(record.url, record);
  }
  return found;
}

/** Run a writer until it has reported `reports` records, then kill it; all that it reported. */
async function writeAndKill(first: number, owner: string, reports: number, look: boolean) {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, dir, String(first), owner], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const acknowledged: number[] = [];
  let looking: Promise<void> | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(Number(line));
    if (look && looking === undefined) {
      const before = [...acknowledged];
      // While it writes: everything acknowledged before the export began is in it.
      looking = exported().then((found) => {
        expect(before.filter((id) => !found.has(urlOf(id)))).toEqual([]);
      });
    }
    if (acknowledged.length === reports) child.kill('SIGKILL');
  }
  expect(await exit).toEqual([null, 'SIGKILL']);
  await looking;
  return acknowledged;
}

describe('output after kill -9 of its writer (F1: survives restarts)', () => {
  it('exports every acknowledged record exactly once', async () => {
    const lastOwner = new Map<number, string>();
    let first = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const owner = `${String(1790000000000 + round)}:run`;
      const reports = 1 + Math.floor(Math.random() * 300);
      const acknowledged = await writeAndKill(first, owner, reports, round % 4 === 0);
      expect(acknowledged.length).toBeGreaterThanOrEqual(reports);
      for (const id of acknowledged) lastOwner.set(id, owner);
      // The next process repeats some records, as a retried turn does.
      first = Math.max(0, Math.max(...acknowledged) - 20);
      const found = await exported();
      const lost = [...lastOwner].filter(([id, last]) => {
        // A later owner may have written without living to report it; an earlier never wins.
        return (found.get(urlOf(id))?.title ?? '') < last;
      });
      expect(lost).toEqual([]);
    }
    const writers = new Set((await listSegments(dir)).map((segment) => segment.writer));
    expect(writers.size).toBe(KILLS);
  }, 180_000);
});
