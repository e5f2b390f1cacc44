import { describe, expect, it } from 'vitest';
import { CookieJars, createChainJar } from '../../../src/fetch/cookies.js';

describe('cookie jars', () => {
  it('send back what was set, on its path only', () => {
    const jar = createChainJar();
    jar.store(['a=1; Path=/shop', 'b=2'], 'http://a.test/shop/x');
    expect(jar.headerFor('http://a.test/shop/y')).toBe('a=1; b=2');
    expect(jar.headerFor('http://a.test/')).toBeNull();
  });

  it('keep cookies from other hosts, public suffixes and malformed ones out', () => {
    const jar = createChainJar();
    jar.store(['=x', ';;;', 'a=b; Domain=other.test', 'p=1; Domain=co.uk'], 'http://a.co.uk/');
    expect(jar.headerFor('http://a.co.uk/')).toBeNull();
    expect(jar.headerFor('http://b.co.uk/')).toBeNull();
    expect(jar.headerFor('http://other.test/')).toBeNull();
  });

  it('never send a Secure cookie in clear', () => {
    const jar = createChainJar();
    jar.store(['s=1; Secure; Path=/'], 'https://a.test/');
    expect(jar.headerFor('http://a.test/')).toBeNull();
    expect(jar.headerFor('https://a.test/')).toBe('s=1');
  });

  it('are bounded in size and number, oldest out first', () => {
    const jar = createChainJar();
    jar.store([`huge=${'x'.repeat(1_000_000)}`], 'http://a.test/');
    expect(jar.headerFor('http://a.test/')).toBeNull();
    for (let n = 0; n < 80; n += 1) jar.store([`c${n}=v; Path=/`], 'http://a.test/');
    const pairs = jar.headerFor('http://a.test/')?.split('; ') ?? [];
    expect(pairs).toHaveLength(50);
    expect(pairs).toContain('c79=v');
    expect(pairs).not.toContain('c0=v');
  });

  it('leave bytes out that no header may hold', () => {
    const jar = createChainJar();
    jar.store(['ok=1', 'bad=\u4f60'], 'http://a.test/');
    expect(jar.headerFor('http://a.test/')).toBe('ok=1');
  });

  it('belong to one crawl and host, and the least recently used go first', () => {
    const jars = new CookieJars(2);
    const a = jars.jarOf('crawl', 'a.test');
    jars.jarOf('crawl', 'b.test');
    expect(jars.jarOf('crawl', 'a.test')).toBe(a);
    expect(jars.jarOf('other', 'a.test')).not.toBe(a);
    const again = jars.jarOf('crawl', 'a.test');
    expect(again).toBe(a);
    jars.jarOf('crawl', 'c.test');
    jars.jarOf('crawl', 'd.test');
    expect(jars.jarOf('crawl', 'a.test')).not.toBe(a);
  });

  it('start fresh for each redirect chain where the option is off', () => {
    const jars = new CookieJars();
    const first = jars.jarForChain(false, 'crawl', 'a.test');
    expect(jars.jarForChain(false, 'crawl', 'a.test')).not.toBe(first);
    const kept = jars.jarForChain(true, 'crawl', 'a.test');
    expect(jars.jarForChain(true, 'crawl', 'a.test')).toBe(kept);
  });
});
