import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listSegments, readLines, segmentName } from '../../../src/output/segments.js';

const MIB = 1024 ** 2;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'orbweaver-segments-'));
});
afterEach(() => rm(dir, { recursive: true }));

async function read(content: string | Buffer, endOffset?: number) {
  const path = join(dir, 'file');
  await writeFile(path, content);
  const lines: string[] = [];
  let end = 0;
  const reader = readLines(path, endOffset);
  for (;;) {
    const step = await reader.next();
    if (step.done) return { lines, end, left: step.value };
    lines.push(...step.value.lines);
    end = step.value.endOffset;
  }
}

describe('readLines', () => {
  it.each([
    ['', [], 0, 0],
    ['a\n', ['a'], 2, 0],
    ['a\nb\n\nc\n', ['a', 'b', '', 'c'], 7, 0],
    ['a\nb', ['a'], 2, 1],
    ['torn', [], 0, 4],
    ['\n', [''], 1, 0],
  ])('takes %j apart', async (content, lines, end, left) => {
    expect(await read(content)).toEqual({ lines, end, left });
  });

  it('keeps lines whole over the borders of what it reads at once', async () => {
    const long = 'ä€😀'.repeat(MIB / 3);
    const lines = ['x'.repeat(MIB - 1), 'y', long, '', 'z'.repeat(MIB), 'end'];
    const found = await read(`${lines.join('\n')}\n`);
    expect(found.lines.map((line) => line.length)).toEqual(lines.map((line) => line.length));
    expect(found.lines).toEqual(lines);
  });

  it('holds no line of more than 16 MiB, and goes on after it', async () => {
    const content = Buffer.concat([
      Buffer.from('a\n'),
      Buffer.alloc(17 * MIB),
      Buffer.from('\nb\n'),
      Buffer.alloc(20 * MIB),
    ]);
    const found = await read(content);
    expect(found.lines).toEqual(['a', '', 'b']);
    expect(found.left).toBe(20 * MIB);
  });

  it('reads no further than it is told', async () => {
    expect(await read('a\nb\nc\n', 4)).toEqual({ lines: ['a', 'b'], end: 4, left: 0 });
  });

  it('says what file it could not read', async () => {
    const reader = readLines(join(dir, 'none'));
    await expect(reader.next()).rejects.toMatchObject({ code: 'OUTPUT_READ' });
  });
});

describe('listSegments', () => {
  it('lists segments by writer and number and no other files', async () => {
    const names = [
      'failures-17-1-b-000002.jsonl',
      'pages-17-1-a-000010.jsonl',
      'pages-17-1-a-000009.jsonl',
      'pages-17-1-b-1000000.jsonl',
    ];
    for (const name of [...names, 'report.json', 'pages-x.jsonl', 'pages-w-1.jsonl.tmp']) {
      await writeFile(join(dir, name), '');
    }
    const found = await listSegments(dir);
    expect(found.map(({ writer, number, stream }) => `${writer} ${number} ${stream}`)).toEqual([
      '17-1-a 9 pages',
      '17-1-a 10 pages',
      '17-1-b 2 failures',
      '17-1-b 1000000 pages',
    ]);
    expect(found.map((segment) => segmentName(segment)).sort()).toEqual([...names].sort());
  });

  it('says that a missing folder holds no output', async () => {
    await expect(listSegments(join(dir, 'none'))).rejects.toThrow(/none: .*check the crawl id/);
  });
});
