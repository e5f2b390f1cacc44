import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PageRecord, SinkRecord } from '../../../src/contracts/urls.js';
import {
  exportRecords,
  type ExportReport,
  type ExportSelection,
} from '../../../src/output/export.js';
import { numbers, recordOf, urlOf } from './record-builder.js';

const EXPORT_CHILD = fileURLToPath(new URL('./export-child.ts', import.meta.url));

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'orbweaver-export-'));
});
afterEach(() => rm(dir, { recursive: true }));

function linesOf(records: readonly SinkRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

async function segment(name: string, ...content: (string | SinkRecord)[]): Promise<void> {
  const text = content.map((part) => (typeof part === 'string' ? part : linesOf([part]))).join('');
  await writeFile(join(dir, name), text);
}

async function exported(select: ExportSelection = 'all') {
  let report: ExportReport | undefined;
  const records: PageRecord[] = [];
  const onReport = (told: ExportReport) => (report = told);
  for await (const record of exportRecords({ dir, select, onReport })) records.push(record);
  return { records, urls: records.map((record) => record.url), report };
}

describe('exportRecords', () => {
  it('yields a record as documented and nothing that only orders it', async () => {
    await segment('pages-w-000001.jsonl', recordOf(1));
    const { fingerprint: _f, kind: _k, owner: _o, turn: _t, attempt: _a, ...page } = recordOf(1);
    expect((await exported()).records).toEqual([page]);
    expect(_f + _k + _o + String(_t + _a)).not.toBe('');
  });

  it('takes the last record by owner, turn and attempt, wherever it stands', async () => {
    const later = '1790000000001:aaa';
    await segment(
      'pages-w1-000001.jsonl',
      recordOf(1, { owner: later, title: 'later owner' }),
      recordOf(2, { turn: 10, title: 'later turn' }),
      recordOf(3, { turn: 2, attempt: 10, title: 'later attempt' }),
      recordOf(4, { title: 'first' }),
    );
    await segment(
      'pages-w2-000001.jsonl',
      recordOf(1, { turn: 99 }),
      recordOf(2, { turn: 9, attempt: 3 }),
      recordOf(3, { turn: 2, attempt: 9 }),
      recordOf(4, { title: 'later position' }),
    );
    const { records, report } = await exported();
    expect(records.map((record) => record.title)).toEqual([
      'later owner',
      'later turn',
      'later attempt',
      'later position',
    ]);
    expect(report).toEqual({ segments: 2, records: 4, replaced: 4, droppedLines: 0 });
  });

  it('selects pages, failures or all by the last outcome of each URL', async () => {
    const failed = { outcome: 'failed', reason: 'FETCH_RESET', status: null } as const;
    await segment(
      'failures-w-000002.jsonl',
      recordOf(1, failed),
      recordOf(2, { ...failed, turn: 5 }),
    );
    await segment(
      'pages-w-000001.jsonl',
      recordOf(1, { turn: 2 }),
      recordOf(2, { turn: 4 }),
      recordOf(3, { outcome: 'notModified' }),
      recordOf(4, { outcome: 'duplicate' }),
      recordOf(5, { outcome: 'redirected' }),
      recordOf(6, { outcome: 'skipped', reason: 'robotsTxt' }),
    );
    expect((await exported('pages')).urls).toEqual([1, 3, 4].map(urlOf));
    expect((await exported('failures')).urls).toEqual([2].map(urlOf));
    expect((await exported('all')).urls).toEqual([1, 3, 4, 5, 6, 2].map(urlOf));
  });

  it('leaves sitemaps out', async () => {
    await segment('pages-w-000001.jsonl', recordOf(1, { kind: 'sitemap' }), recordOf(2));
    expect((await exported('all')).urls).toEqual([urlOf(2)]);
  });

  it('drops and counts torn and broken lines anywhere, and none of their neighbours', async () => {
    const half = linesOf([recordOf(9)]).slice(0, 120);
    await segment(
      'pages-w1-000001.jsonl',
      recordOf(1),
      `${half}\n`,
      '\0\0\0\0\n',
      'null\n{}\n[1]\n',
      `${JSON.stringify({ ...recordOf(8), turn: -1 })}\n`,
      recordOf(2),
      half,
    );
    await segment('pages-w2-000001.jsonl', half);
    await segment('pages-w3-000001.jsonl', '');
    const { urls, report } = await exported();
    expect(urls).toEqual([1, 2].map(urlOf));
    expect(report).toEqual({ segments: 3, records: 2, replaced: 0, droppedLines: 8 });
  });

  it('is a snapshot: what is written while it runs neither doubles nor breaks it', async () => {
    const path = join(dir, 'pages-w-000001.jsonl');
    const torn = linesOf([recordOf(3)]);
    await segment('pages-w-000001.jsonl', recordOf(1), recordOf(2), torn.slice(0, 50));
    await segment('pages-w-000002.jsonl', recordOf(5), recordOf(6, { kind: 'sitemap' }));
    const records = exportRecords({ dir, select: 'all' });
    const first = await records.next();
    await appendFile(path, torn.slice(50) + linesOf([recordOf(1, { turn: 7 }), recordOf(4)]));
    const urls = [first.value?.url];
    for await (const record of records) urls.push(record.url);
    expect(urls).toEqual([1, 2, 5].map(urlOf));
    expect((await exported()).urls).toEqual([2, 3, 1, 4, 5].map(urlOf));
  });

  it('fails for a folder that is not there', async () => {
    const records = exportRecords({ dir: join(dir, 'none'), select: 'all' });
    await expect(records.next()).rejects.toMatchObject({ code: 'OUTPUT_READ', retryable: false });
  });

  it('exports 200,000 URLs out of 250,000 records in a heap that can not hold them', async () => {
    const batches = numbers(0, 250).map((batch) => numbers(batch * 1000, 1000));
    const toLines = ([first = 0]: number[]): string =>
      // The last 50,000 records repeat URLs of the first.
      linesOf(numbers(first, 1000).map((id) => recordOf(id % 200_000, { turn: 1 + first / 1000 })));
    await pipeline(
      (function* () {
        for (const batch of batches) yield toLines(batch);
      })(),
      createWriteStream(join(dir, 'pages-w-000001.jsonl')),
    );
    const args = ['--max-old-space-size=40', '--import', 'tsx', EXPORT_CHILD, dir];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(JSON.parse(stdout)).toEqual({ urls: 200_000, replaced: 50_000, droppedLines: 0 });
  }, 120_000);
});
