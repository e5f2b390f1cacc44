import { describe, expect, it } from 'vitest';
import { UrlFactsMemo } from '../../../src/activities/url-facts.js';
import { canonicalRulesId, canonicalSettings } from '../../../src/url/canonical-settings.js';

describe('UrlFactsMemo', () => {
  it('never gives a crawl what it remembers of a crawl with other rules', () => {
    const memo = new UrlFactsMemo();
    const url = 'http://h.example/docs/?sort=1&page=2';
    const print = (...[changes, drop]: Parameters<typeof canonicalSettings>) =>
      memo.of(url, canonicalSettings(changes, drop)).fingerprint;
    const all = [print([]), print(['no-trailingSlash']), print([], ['sort']), print([], ['page'])];
    expect(new Set(all).size).toBe(4);
    // The same rules in another object, as the next version of the settings has them.
    expect(memo.of(url, canonicalSettings([]))).toBe(memo.of(url, canonicalSettings([])));
    expect([print([]), print(['no-trailingSlash'])]).toEqual(all.slice(0, 2));
  });

  it('tells lists of parameters apart that look alike when joined', () => {
    const id = (...drop: string[]) => canonicalRulesId(canonicalSettings([], drop));
    expect(new Set([id('a', 'b'), id('a b'), id('a,b'), id('a","b')]).size).toBe(4);
    expect(id('a', 'b')).toBe(id('b', 'a'));
  });
});
