import { describe, expect, it } from 'vitest';
import { ROBOTS_MAX_BYTES } from '../../../src/robots/access.js';
import { parseRobots } from '../../../src/robots/rules.js';

const ORIGIN = 'https://h.example/robots.txt';

describe('parseRobots', () => {
  it('says which line decided', () => {
    const rules = parseRobots('User-agent: *\nDisallow: /x # no\nAllow: /x/y', ORIGIN);
    expect(rules.isAllowed('https://h.example/x', 'a').rule).toBe('disallow: /x');
    expect(rules.isAllowed('https://h.example/x/y', 'a').rule).toBe('allow: /x/y');
    expect(rules.isAllowed('https://h.example/z', 'a').rule).toBeNull();
  });

  it('does not allow what is no URL', () => {
    expect(parseRobots('', ORIGIN).isAllowed('nonsense', 'a').allowed).toBe(false);
  });

  it('compares the octets of a line that is no UTF-8', () => {
    const body = Buffer.from(
      'User-agent: a\nDisallow: /b\xfccher\nDisallow: /y # \xe9\n',
      'latin1',
    );
    const rules = parseRobots(body, ORIGIN);
    expect(rules.isAllowed('https://h.example/b%C3%BCcher', 'a').allowed).toBe(true);
    expect(rules.isAllowed('https://h.example/b%FCcher', 'a').allowed).toBe(false);
    expect(rules.isAllowed('https://h.example/y', 'a').allowed).toBe(false);
  });

  it('reads UTF-16 with a byte order mark', () => {
    const body = Buffer.from('\ufeffUser-agent: a\nDisallow: /x', 'utf16le');
    expect(parseRobots(body, ORIGIN).isAllowed('https://h.example/x', 'a').allowed).toBe(false);
  });

  it('cuts past 500 KiB by bytes at a line boundary and keeps what came before', () => {
    const head = 'User-agent: a\nDisallow: /first\n';
    const fill = `Disallow: /${'ü'.repeat(ROBOTS_MAX_BYTES / 2)}\n`;
    const rules = parseRobots(`${head}${fill}Disallow: /last\n`, ORIGIN);
    expect(rules.isAllowed('https://h.example/first', 'a').allowed).toBe(false);
    expect(rules.isAllowed('https://h.example/last', 'a').allowed).toBe(true);
    // A cut rule would forbid more than the file does.
    const cut = `Disallow: /${'x'.repeat(ROBOTS_MAX_BYTES)}`;
    expect(
      parseRobots(head + cut, ORIGIN).isAllowed(`https://h.example/${'x'.repeat(99)}`, 'a').allowed,
    ).toBe(true);
  });

  it('keeps a last line that ends where the limit is, and none that goes on', () => {
    const line = 'Disallow: /x\n';
    const head = 'User-agent: a\n';
    const fill = '#'.repeat(ROBOTS_MAX_BYTES - head.length - line.length - 1);
    const whole = `${head}${fill}\n${line}`;
    expect(Buffer.byteLength(whole)).toBe(ROBOTS_MAX_BYTES);
    const isAllowed = (body: string): boolean =>
      parseRobots(body, ORIGIN).isAllowed('https://h.example/x', 'a').allowed;
    expect(isAllowed(whole)).toBe(false);
    expect(isAllowed(`${whole}Allow: /x`)).toBe(false);
    // One byte further the line end is past the limit, and the line still whole.
    expect(isAllowed(whole.replace('#', '##'))).toBe(false);
    // Two bytes further its path is cut.
    expect(isAllowed(whole.replace('#', '###'))).toBe(true);
  });

  it('matches 20,000 rules of wildcards against a long URL', () => {
    const body = `User-agent: *\n${'Disallow: /*a*b*c*d*x\n'.repeat(20_000)}Disallow: /*z\n`;
    const url = `https://h.example/${'abc'.repeat(3_000)}z`;
    expect(parseRobots(body, ORIGIN).isAllowed(url, 'a')).toEqual({
      allowed: false,
      rule: 'disallow: /*z',
    });
  });

  it.each([
    ['0.5', 500],
    ['999999999999', 999_999_999_999_000],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['-5', null],
    ['1e3', null],
    ['soon', null],
  ])('read a Crawl-delay of %s: what is huge stays huge', (value, delayMs) => {
    const rules = parseRobots(`User-agent: *\nCrawl-delay: ${value}`, 'http://a.test/robots.txt');
    expect(rules.crawlDelayMs('orbweaver')).toBe(delayMs);
  });
});
