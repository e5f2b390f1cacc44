import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSeeds, type SeedPieces } from '../../../src/cli/seeds.js';
import { testContext } from './builders.js';

const MANY = 12_001;
let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'orbweaver-seeds-'));
  const lines = Array.from({ length: MANY }, (_, n) => `https://example.com/${n}`);
  writeFileSync(join(dir, 'many.txt'), lines.join('\n'));
  writeFileSync(join(dir, 'empty.txt'), '# nothing\n\n');
});
afterAll(() => rmSync(dir, { recursive: true }));

async function all({ first, rest }: SeedPieces): Promise<(readonly string[])[]> {
  const pieces = [first.seeds];
  for await (const { seeds } of rest) pieces.push(seeds);
  return pieces;
}

describe('openSeeds', () => {
  it('takes arguments first, then lines of stdin without comments, blanks, BOM and CR', async () => {
    const ctx = testContext({}, '\uFEFFhttps://a.example/\r\n# no\r\n\n  https://b.example/  ');
    const pieces = await all(await openSeeds(ctx, ['https://z.example/'], '-'));
    expect(pieces).toEqual([['https://z.example/', 'https://a.example/', 'https://b.example/']]);
  });

  it('cuts a large file into pieces that fit one message each', async () => {
    const pieces = await all(await openSeeds(testContext(), [], join(dir, 'many.txt')));
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.flat()).toHaveLength(MANY);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(5000);
    expect(pieces.flat().at(-1)).toBe(`https://example.com/${MANY - 1}`);
  });

  it('names a file that can not be read', async () => {
    const opening = openSeeds(testContext(), [], join(dir, 'none.txt'));
    await expect(opening).rejects.toThrow(/--seeds-file: can't read .*none\.txt \(ENOENT/);
  });

  it('refuses a crawl without any seed, and says how to name one', async () => {
    await expect(openSeeds(testContext(), [], join(dir, 'empty.txt'))).rejects.toThrow(
      /--seeds-file: expected one URL a line, got none in .*empty\.txt/,
    );
    await expect(openSeeds(testContext(), [], undefined)).rejects.toThrow(
      /orbweaver crawl https:\/\/example\.com\//,
    );
  });
});
