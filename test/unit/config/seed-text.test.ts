import { describe, expect, it } from 'vitest';
import { withoutCredentials } from '../../../src/config/seed-text.js';

describe('a seed that is kept', () => {
  it.each([
    ['https://user:pw@a.test/x?y=a@b', 'https://a.test/x?y=a@b'],
    ['https:user:p@w@a.test', 'https://a.test/'],
    ['http:\\\\user:pw@a.test\\x', 'http://a.test/x'],
    ['ftp://user:pw@a.test/x', 'ftp://a.test/x'],
    ['https://user:pw@a b/', 'https://a b/'],
    [' HTTPS://user:p@w@a b/', ' HTTPS://a b/'],
  ])('%s has no credentials', (seed, kept) => {
    expect(withoutCredentials(seed)).toBe(kept);
  });

  it.each(['https://example.com', 'https://a.test/@user', 'mailto:a@a.test', 'a@b', ''])(
    '%s comes to the same page',
    (seed) => {
      const kept = withoutCredentials(seed);
      expect(URL.canParse(kept) ? new URL(kept).href : kept).toBe(
        URL.canParse(seed) ? new URL(seed).href : seed,
      );
    },
  );
});
