import { describe, expect, it } from 'vitest';
import { MAX_URL_CHARS, parseUrl, requireUrl } from '../../../src/url/parse-url.js';

describe('parseUrl', () => {
  it('takes a URL of the longest lawful length whole and drops a longer one', () => {
    const longest = `http://h.example/${'x'.repeat(MAX_URL_CHARS - 17)}`;
    expect(parseUrl(longest)).toBe(longest);
    expect(parseUrl(`${longest}x`)).toBeNull();
  });
});

describe('requireUrl', () => {
  it('returns what is fetched', () => {
    expect(requireUrl('http://u:p@h.example#x', 'seeds')).toBe('http://h.example/');
  });

  it.each([
    ['example.com/x', 'URL_INVALID', 'https://example.com/x'],
    ['example.com:8080', 'URL_INVALID', 'https://example.com:8080/'],
    ['', 'URL_INVALID', 'https://example.com/'],
    ['http://', 'URL_INVALID', 'Give one such as'],
    ['ftp://h.example/', 'URL_UNSUPPORTED_SCHEME', 'only http and https'],
    ['mailto:a@h.example', 'URL_UNSUPPORTED_SCHEME', '"mailto"'],
  ])('refuses %j with field, value and remedy', (input, code, remedy) => {
    expect(() => requireUrl(input, 'seeds')).toThrow(
      expect.objectContaining({ code, details: { field: 'seeds', value: input } }),
    );
    expect(() => requireUrl(input, 'seeds')).toThrow(remedy);
    expect(() => requireUrl(input, 'seeds')).toThrow(/^seeds: /);
  });

  it('shows no password', () => {
    const refuse = () => requireUrl('ftp://u:secret@h.example/', 'seeds');
    expect(refuse).toThrow(/ftp:\/\/h\.example/);
    expect(refuse).not.toThrow(/secret/);
  });
});
