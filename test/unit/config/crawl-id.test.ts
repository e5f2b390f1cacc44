import { describe, expect, it } from 'vitest';
import { newCrawlId, parseCrawlId } from '../../../src/config/crawl-id.js';

const NOW = new Date('2026-12-01T14:03:12.345Z');

describe('parseCrawlId', () => {
  it.each(['a', 'docs-2026', '7.x_y-z', 'a'.repeat(64)])('takes %s', (id) => {
    expect(parseCrawlId(id)).toBe(id);
  });

  it.each(['', '.', '..', '-a', '_a', 'a/b', 'a b', 'ä', 'a\n', 'a'.repeat(65), 7, undefined])(
    'refuses %j with field, value and remedy',
    (id) => {
      expect(() => parseCrawlId(id)).toThrow(
        expect.objectContaining({
          code: 'CONFIG_INVALID_OPTION',
          message: expect.stringMatching(/^crawlId: expected .*, got .*; write it like/s),
        }),
      );
    },
  );
});

describe('newCrawlId', () => {
  it('says host and time in UTC', () => {
    expect(newCrawlId('https://docs.example.com:8080/x', NOW)).toMatch(
      /^docs\.example\.com-20261201-140312-[a-z0-9]{4}$/,
    );
  });

  it.each([
    'https://[::1]/',
    'https://127.0.0.1/',
    'no url',
    `https://${'a.'.repeat(100)}example/`,
  ])('makes a valid id of %s', (seed) => {
    const id = newCrawlId(seed, NOW);
    expect(parseCrawlId(id)).toBe(id);
  });

  it('differs between two crawls of one host in one second', () => {
    const ids = new Set(Array.from({ length: 20 }, () => newCrawlId('https://a.example/', NOW)));
    expect(ids.size).toBeGreaterThan(15);
  });
});
