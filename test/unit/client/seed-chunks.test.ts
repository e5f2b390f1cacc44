import { describe, expect, it } from 'vitest';
import { seedChunks, type SeedChunk } from '../../../src/client/seed-chunks.js';

const PAYLOAD_BYTES_MAX = 2 * 1024 * 1024;

async function chunksOf(
  seeds: Iterable<string> | AsyncIterable<string>,
): Promise<(readonly string[])[]> {
  const chunks: (readonly string[])[] = [];
  for await (const { seeds: some } of seedChunks(seeds)) chunks.push(some);
  return chunks;
}

describe('seedChunks', () => {
  it('keeps every seed, once and in order', async () => {
    const seeds = Array.from({ length: 12_001 }, (_unused, n) => `https://example.com/${n}`);
    const chunks = await chunksOf(seeds);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.flat()).toEqual(seeds);
  });

  it('leaves credentials out: pieces go into a history', async () => {
    const chunks = await chunksOf(['https://user:pw@example.com/a', 'ftp://user:pw@example.com/']);
    expect(chunks).toEqual([['https://example.com/a', 'ftp://example.com/']]);
  });

  it('puts a short text that is no URL in the place of a line of megabytes', async () => {
    const line = `http://example.com/${'a'.repeat(3_000_000)}`;
    const [seeds] = await chunksOf([line, 'http://example.com/']);
    expect(seeds).toEqual([
      expect.stringMatching(/^\(3000019 characters\) http:\/\/example\.com\/a{181}…$/),
      'http://example.com/',
    ]);
    expect(URL.canParse(seeds![0]!)).toBe(false);
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

  it.each([1, 4999, 5000, 5001, 10_000])('tells of %d seeds which piece is the last', async (n) => {
    const chunks: SeedChunk[] = [];
    const seeds = Array.from({ length: n }, (_unused, at) => `https://example.com/${at}`);
    for await (const chunk of seedChunks(seeds)) chunks.push(chunk);
    expect(chunks).toHaveLength(Math.ceil(n / 5000));
    expect(chunks.map(({ hasMore }) => hasMore)).toEqual(
      chunks.map((_chunk, at) => at < chunks.length - 1),
    );
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
