import { describe, expect, it } from 'vitest';
import { compileScope } from '../../../src/url/scope.js';
import { compilePattern } from '../../../src/url/url-pattern.js';

type Settings = Parameters<typeof compileScope>[1];

function inScope(settings: Partial<Settings>, url: string, seeds = ['https://www.example.com/a']) {
  return compileScope(seeds, { scope: 'domain', include: [], exclude: [], ...settings }).check(url);
}

describe('compileScope', () => {
  it.each([
    ['host', 'https://www.example.com/x', true],
    ['host', 'http://www.example.com/x', true],
    ['host', 'https://www.example.com./x', true],
    ['host', 'https://example.com/x', false],
    ['host', 'https://www.example.com:8443/x', false],
    ['domain', 'http://shop.example.com:81/x', true],
    ['domain', 'https://evil-example.com/', false],
    ['domain', 'https://example.com@evil.test/', false],
    ['domain', 'https://www.example.com.evil.test/', false],
    ['any', 'https://other.example/', true],
    ['any', 'ftp://other.example/', false],
    ['any', 'nonsense', false],
  ] as const)('scope %s on %s: %s', (scope, url, expected) => {
    expect(inScope({ scope }, url).inScope).toBe(expected);
  });

  it('keeps two sites under one private suffix apart', () => {
    expect(inScope({}, 'https://b.github.io/', ['https://a.github.io/']).inScope).toBe(false);
  });

  it('keeps to the port of the seed', () => {
    const seeds = ['http://127.0.0.1:8080/'];
    expect(inScope({ scope: 'host' }, 'http://127.0.0.1:8080/x', seeds).inScope).toBe(true);
    expect(inScope({ scope: 'host' }, 'http://127.0.0.1:8081/x', seeds).inScope).toBe(false);
  });

  it('lets exclude win over include and says which rule refused', () => {
    const settings = { include: ['*/docs/*'], exclude: ['/\\.zip$/i'] };
    expect(inScope(settings, 'https://www.example.com/docs/a')).toEqual({ inScope: true });
    expect(inScope(settings, 'https://www.example.com/docs/a.ZIP')).toEqual({
      inScope: false,
      rule: 'exclude /\\.zip$/i',
    });
    expect(inScope(settings, 'https://www.example.com/blog')).toEqual({
      inScope: false,
      rule: 'include: matches none of */docs/*',
    });
    expect(inScope({}, 'https://other.example/')).toEqual({
      inScope: false,
      rule: "scope domain: other.example is not a seed's registered domain",
    });
  });

  it('asks of a seed all but include', () => {
    const settings = { scope: 'host', include: ['*/docs/*'], exclude: ['*/private*'] } as const;
    const scope = compileScope(['https://a.example/'], settings);
    expect(scope.check('https://a.example/').inScope).toBe(false);
    expect(scope.checkSeed('https://a.example/').inScope).toBe(true);
    expect(scope.checkSeed('https://a.example/private').inScope).toBe(false);
    expect(scope.checkSeed('https://b.example/').inScope).toBe(false);
  });

  it('refuses a seed that is no URL', () => {
    expect(() => inScope({}, 'https://x.example/', ['x.example'])).toThrow(/seeds: "x\.example"/);
  });
});

describe('compilePattern', () => {
  it.each([
    ['*', 'http://h.example/', true],
    ['http*://h.example/*', 'https://h.example/a', true],
    ['http://h.example/', 'http://h.example/a', false],
    ['*/a?b', 'http://h.example/a?b', true],
    ['*/a?b', 'http://h.example/axb', false],
    ['*.(pdf)', 'http://h.example/x.(pdf)', true],
    ['*ab*ab', 'http://h.example/ab', false],
    ['*ab*ab', 'http://h.example/abab', true],
    ['**x**', 'http://h.example/x', true],
    ['/^https:/', 'http://h.example/https:', false],
    ['/EXAMPLE/i', 'http://h.example/', true],
  ])('%s on %s: %s', (pattern, url, expected) => {
    expect(compilePattern(pattern, 'include').test(url)).toBe(expected);
  });

  it('gives the same answer each time', () => {
    const pattern = compilePattern('/h/', 'include');
    expect([1, 2, 3].map(() => pattern.test('http://h.example/'))).toEqual([true, true, true]);
  });

  it.each([
    ['', 'is empty'],
    ['/(/', 'no valid regular expression'],
    ['//', 'empty regular expression'],
    ['/x/g', 'flags "g"'],
    ['docs/*', 'start it with * or https:// (*docs/*)'],
    ['/docs/*', 'start it with *'],
  ])('refuses %j with field, value and remedy', (source, why) => {
    const compile = () => compilePattern(source, 'exclude');
    expect(compile).toThrow(why);
    expect(compile).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID_OPTION',
        details: { field: 'exclude', value: source },
      }),
    );
  });

  it('matches a glob of many stars against a long URL without backtracking', () => {
    const pattern = compilePattern('*a'.repeat(2_000) + 'b', 'include');
    expect(pattern.test(`http://h.example/${'a'.repeat(16_000)}`)).toBe(false);
  });
});
