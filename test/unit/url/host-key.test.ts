import { describe, expect, it } from 'vitest';
import { hostKey, registeredDomain, registeredDomainOrNull } from '../../../src/url/host-key.js';

describe('hostKey', () => {
  it.each([
    ['http://H.Example/x', 'h.example'],
    ['https://h.example/', 'h.example'],
    ['http://h.example:8080/', 'h.example:8080'],
    ['https://h.example:80/', 'h.example:80'],
    ['http://h.example.:8080/', 'h.example:8080'],
    ['http://[::1]:81/', '[::1]:81'],
    ['http://bücher.example/', 'xn--bcher-kva.example'],
  ])('%s → %s', (url, key) => {
    expect(hostKey(url)).toBe(key);
  });

  it('refuses what is no URL', () => {
    expect(() => hostKey('h.example')).toThrow(expect.objectContaining({ code: 'URL_INVALID' }));
  });
});

describe('registeredDomain (R1)', () => {
  it.each([
    ['www.shop.example.co.uk', 'example.co.uk'],
    ['https://checkout.example.com:8443/x', 'example.com'],
    ['example.com.', 'example.com'],
    ['EXAMPLE.com:80', 'example.com'],
    ['a.github.io', 'a.github.io'],
    ['x.a.github.io', 'a.github.io'],
    ['host.unlisted', 'host.unlisted'],
    ['localhost', 'localhost'],
    ['http://127.0.0.1:8080/', '127.0.0.1'],
    ['http://[::1]:8080/', '[::1]'],
    ['co.uk', 'co.uk'],
    ['www.xn--85x722f.com.cn', 'xn--85x722f.com.cn'],
    ['www.公司.cn', 'www.公司.cn'],
  ])('%s → %s', (host, domain) => {
    expect(registeredDomain(host)).toBe(domain);
  });

  it('has none for a name with an empty label, which stands for itself', () => {
    const urls = ['http://.example.com/', 'http://a..example.com/', 'http://example.com../'];
    expect(urls.map(registeredDomainOrNull)).toEqual([null, null, null]);
    expect(registeredDomain('http://a..example.com/')).toBe('a..example.com');
  });

  it('has none for a public suffix and for addresses', () => {
    expect(['com', 'co.uk', '127.0.0.1', '[::1]'].map(registeredDomainOrNull)).toEqual(
      Array(4).fill(null),
    );
  });
});
