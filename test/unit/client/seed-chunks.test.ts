import { describe, expect, it } from 'vitest';
import { seedChunks } from '../../../src/client/seed-chunks.js';

const PAYLOAD_BYTES_MAX = 2 * 1024 * 1024;

async function chunksOf(seeds: Iterable<string> | AsyncIterable<string>): Promise<string[][]> {
  const chunks: string[][] = [];
  for await (const chunk of seedChunks(seeds)) chunks.push(chunk);
  return chunks;
}

describe('seedChunks', () => {
  it('keeps every seed, once and in order', async () => {
    const seeds = Array.from({ length: 12_001 }, (_unused, n) => `https://example.com/${n}`);
    const chunks = await chunksOf(seeds);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.flat()).toEqual(seeds);
  });

  it('keeps each piece far under a payload, also where characters take several bytes', async () => {
    const seeds = Array.from(
      { length: 400 },
      (_unused, n) => `https://ü.example/${n}${'語'.repeat(5000)}`,
    );
    for (const chunk of await chunksOf(seeds)) {
      expect(Buffer.byteLength(JSON.stringify(chunk))).toBeLessThan(PAYLOAD_BYTES_MAX / 4);
    }
  });

  it('sends a seed that is longer than a piece alone', async () => {
    const long = `https://example.com/${'a'.repeat(500_000)}`;
    expect(await chunksOf(['https://a.example/', long, 'https://b.example/'])).toEqual([
      ['https://a.example/'],
      [long],
      ['https://b.example/'],
    ]);
  });

  it('gives nothing for no seeds', async () => {
    expect(await chunksOf([])).toEqual([]);
  });

  it('reads an async source', async () => {
    async function* source() {
      yield 'https://a.example/';
      yield 'https://b.example/';
    }
    expect(await chunksOf(source())).toEqual([['https://a.example/', 'https://b.example/']]);
  });
});
