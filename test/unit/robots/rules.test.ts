import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROBOTS_MAX_BYTES, robotsUrl } from '../../../src/robots/access.js';
import { parseRobots } from '../../../src/robots/rules.js';
import { loadVectors } from '../../vectors/load.js';
import {
  expandParts,
  hasSharedCases,
  sharedCases,
  sharedName,
  type SharedCase,
} from '../../vectors/shared-cases.js';

interface RobotsCase {
  name: string;
  type: 'match' | 'fields';
  robotsTxt: string;
  agent: string;
  url: string;
  allowed: boolean;
  crawlDelayMs?: number | null;
  sitemaps?: string[];
}

const ORIGIN = 'https://h.example/robots.txt';

describe('parseRobots', () => {
  const cases = loadVectors<RobotsCase>('robots');
  it.each(cases.filter(({ type }) => type === 'match'))(
    'match: $name: allowed=$allowed',
    ({ robotsTxt, agent, url, allowed }) => {
      expect(parseRobots(robotsTxt, ORIGIN).isAllowed(url, agent).allowed).toBe(allowed);
      expect(parseRobots(Buffer.from(robotsTxt), ORIGIN).isAllowed(url, agent).allowed).toBe(
        allowed,
      );
    },
  );

  it.each(cases.filter(({ type }) => type === 'fields'))('fields: $name', (each) => {
    const rules = parseRobots(each.robotsTxt, ORIGIN);
    if (each.crawlDelayMs !== undefined) {
      expect(rules.crawlDelayMs(each.agent)).toBe(each.crawlDelayMs);
    }
    if (each.sitemaps) expect(rules.sitemaps).toEqual(each.sitemaps);
  });

  it('says which line decided', () => {
    const rules = parseRobots('User-agent: *\nDisallow: /x # no\nAllow: /x/y', ORIGIN);
    expect(rules.isAllowed('https://h.example/x', 'a').rule).toBe('disallow: /x');
    expect(rules.isAllowed('https://h.example/x/y', 'a').rule).toBe('allow: /x/y');
    expect(rules.isAllowed('https://h.example/z', 'a').rule).toBeNull();
  });

  it('does not allow what is no URL', () => {
    expect(parseRobots('', ORIGIN).isAllowed('nonsense', 'a').allowed).toBe(false);
  });

  it('loses one line to an invalid UTF-8 byte, not the file', () => {
    const body = Buffer.from(
      'User-agent: a\nDisallow: /b\xfccher\nDisallow: /y # \xe9\n',
      'latin1',
    );
    const rules = parseRobots(body, ORIGIN);
    expect(rules.isAllowed('https://h.example/b%C3%BCcher', 'a').allowed).toBe(true);
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

  it('matches 20,000 rules of wildcards against a long URL', () => {
    const body = `User-agent: *\n${'Disallow: /*a*b*c*d*x\n'.repeat(20_000)}Disallow: /*z\n`;
    const url = `https://h.example/${'abc'.repeat(3_000)}z`;
    expect(parseRobots(body, ORIGIN).isAllowed(url, 'a')).toEqual({
      allowed: false,
      rule: 'disallow: /*z',
    });
  });

  it('takes any bytes', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        'User-agent:',
        '*',
        '\n',
        '\r',
        'Disallow: /',
        'Allow:',
        '%',
        '$',
        '\0',
        'a',
      ),
    });
    fc.assert(
      fc.property(fc.oneof(text, fc.uint8Array()), fc.webUrl(), (body, url) => {
        const rules = parseRobots(body, ORIGIN);
        expect(typeof rules.isAllowed(url, 'a').allowed).toBe('boolean');
        expect(rules.crawlDelayMs('a')).toBeNull();
      }),
    );
  });
});

interface PublicCase extends SharedCase {
  type: string;
  robotsTxt?: string;
  robotsTxtBase64?: string;
  robotsTxtParts?: { text: string; repeat?: number }[];
  userAgent: string;
  url: string;
  robotsUrl: string;
  allowed: boolean;
  crawlDelay?: number | null;
  sitemaps?: string[];
}

describe('public robots.txt cases', () => {
  const bodyOf = (each: PublicCase) =>
    each.robotsTxtBase64 === undefined
      ? (each.robotsTxt ?? expandParts(each.robotsTxtParts ?? []))
      : Buffer.from(each.robotsTxtBase64, 'base64');

  it.skipIf(!hasSharedCases)(sharedName('match as expected'), () => {
    const failing = sharedCases<PublicCase>('robots')
      .filter(({ type }) => type === 'match')
      .filter((each) => {
        const rules = parseRobots(bodyOf(each), robotsUrl(each.url));
        return rules.isAllowed(each.url, each.userAgent).allowed !== each.allowed;
      });
    expect(failing.map(({ name }) => name)).toEqual([]);
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

  it.skipIf(!hasSharedCases)(sharedName('have the delays and sitemaps expected'), () => {
    const failing = sharedCases<PublicCase>('robots')
      .filter(({ type }) => type === 'fields')
      .filter((each) => {
        const rules = parseRobots(bodyOf(each), each.robotsUrl);
        const delayMs = typeof each.crawlDelay === 'number' ? each.crawlDelay * 1000 : null;
        const isDelayRight =
          each.crawlDelay === undefined || rules.crawlDelayMs(each.userAgent) === delayMs;
        const areSitemapsRight =
          !each.sitemaps || JSON.stringify(rules.sitemaps) === JSON.stringify(each.sitemaps);
        return !isDelayRight || !areSitemapsRight;
      });
    expect(failing.map(({ name }) => name)).toEqual([]);
  });

  it.skipIf(!hasSharedCases)(sharedName('have their robots.txt where expected'), () => {
    const failing = sharedCases<PublicCase>('robots')
      .filter(({ type }) => type === 'robotsUrl')
      .filter((each) => robotsUrl(each.url) !== each.robotsUrl);
    expect(failing.map(({ name }) => name)).toEqual([]);
  });
});
