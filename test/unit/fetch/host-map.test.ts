import { describe, expect, it } from 'vitest';
import { findHostMapping, matchesWildcard } from '../../../src/fetch/host-map.js';

describe('findHostMapping', () => {
  const mapping = (pattern: string, port: number | null = null) => ({
    pattern,
    address: '127.0.0.1',
    port,
  });

  it('takes the first pattern that matches', () => {
    const rules = [mapping('a.test', 1), mapping('*.test', 2), mapping('*', 3)];
    expect(findHostMapping(rules, 'a.test')?.port).toBe(1);
    expect(findHostMapping(rules, 'b.test')?.port).toBe(2);
    expect(findHostMapping(rules, 'test')?.port).toBe(3);
    expect(findHostMapping(rules.slice(0, 2), 'a.example')).toBeNull();
  });

  it('compares IPv6 literals without brackets', () => {
    expect(findHostMapping([mapping('2001:db8::1')], '[2001:db8::1]')).not.toBeNull();
  });
});

describe('matchesWildcard', () => {
  it.each([
    ['a*c', 'abc', true],
    ['a*c', 'ac', true],
    ['ab*bc', 'abc', false],
    ['*.a.*', 'x.a.y', true],
    ['*.a.*', 'x.b.y', false],
    ['host*.test', 'host12.test', true],
    ['host*.test', 'host12.test.evil', false],
    ['', '', true],
  ])('%j on %j is %s', (pattern, text, expected) => {
    expect(matchesWildcard(pattern, text)).toBe(expected);
  });

  it('stays linear on hostile patterns', () => {
    expect(matchesWildcard(`${'*a'.repeat(2_000)}b`, 'a'.repeat(100_000))).toBe(false);
  });
});
