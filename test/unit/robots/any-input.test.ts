/** Whatever strangers write into a robots.txt: a verdict, in bounded work and memory. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROBOTS_MAX_BYTES } from '../../../src/robots/access.js';
import { readGroups } from '../../../src/robots/groups.js';
import { robotsRecords, withoutJunk } from '../../../src/robots/robots-lines.js';
import { RulesMemo } from '../../../src/robots/rules-memo.js';
import { parseRobots } from '../../../src/robots/rules.js';

const ORIGIN = 'https://h.example/robots.txt';

// Pieces that mean something, so that random files are full of rules.
const piece = fc.constantFrom(
  ...[
    'User-agent: ',
    'Disallow: ',
    'Allow:',
    'Crawl-delay: ',
    'Sitemap: ',
    '\n',
    '\r',
    '\r\n',
    '#',
  ],
  ...['*', '$', '/', '?', '%', '%2F', '%zz', 'a', 'ü', ' ', '\t', '\0', '\ufeff', '1.5', ':', ','],
  ...['\ud800', '\u2028', '<br>', '//', '..', 'https://x.example/s.xml'],
);
const text = fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join(''));
const body = fc.oneof(text, fc.uint8Array({ maxLength: 2000 }), fc.string({ unit: 'binary' }));
const path = fc
  .array(piece, { maxLength: 30 })
  .map((pieces) => `https://h.example/${pieces.join('')}`);
const url = fc.oneof(path, fc.webUrl({ withQueryParameters: true }), fc.string());
const agent = fc.oneof(fc.constantFrom('a', '*', '', 'Mozilla/5.0 (compatible; a/1)'), fc.string());

describe('any robots.txt', () => {
  it('gives any URL and any agent a verdict, and the same one again', () => {
    fc.assert(
      fc.property(body, url, agent, (bytes, target, name) => {
        const rules = parseRobots(bytes, ORIGIN);
        const verdict = rules.isAllowed(target, name);
        expect(typeof verdict.allowed).toBe('boolean');
        expect(parseRobots(bytes, ORIGIN).isAllowed(target, name)).toEqual(verdict);
        expect(rules.isAllowed(target, name)).toEqual(verdict);
        const delayMs = rules.crawlDelayMs(name);
        expect(delayMs === null || (Number.isSafeInteger(delayMs) && delayMs >= 0)).toBe(true);
        for (const sitemap of rules.sitemaps) expect(sitemap).toMatch(/^https?:\/\//);
      }),
      { numRuns: 500 },
    );
  });

  it('says the same whatever the line ends, the blanks and the case of its names', () => {
    const line = fc.tuple(
      fc.constantFrom('user-agent', 'disallow', 'allow', 'crawl-delay', 'foo'),
      fc.constantFrom('a', 'b', '*', '/', '/x', '/x*y', '/x$', '', '3'),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 30 }),
        path,
        fc.infiniteStream(fc.nat(5)),
        (lines, target, pick) => {
          const plain = lines.map(([name, value]) => `${name}: ${value}\n`).join('');
          const of = <T>(choices: readonly T[]): T => choices[pick.next().value % choices.length]!;
          const loose = lines
            .map(([name, value]) => {
              const spelt = of([name, name.toUpperCase(), ` ${name}`, `${name}\t`]);
              return `${spelt}:${of(['', ' ', '\t '])}${value}${of(['', ' # x', '  '])}${of(['\n', '\r', '\r\n'])}`;
            })
            .join('');
          for (const name of ['a', 'b', 'c']) {
            const verdict = parseRobots(plain, ORIGIN).isAllowed(target, name);
            expect(parseRobots(loose, ORIGIN).isAllowed(target, name)).toEqual(verdict);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('matches as a plain reading of RFC 9309 does', () => {
    const value = fc
      .array(fc.constantFrom('*', '$', '/', 'a', 'b'), { maxLength: 8 })
      .map((chars) => `/${chars.join('')}`);
    const rule = fc.tuple(fc.boolean(), value);
    const target = fc
      .array(fc.constantFrom('/', 'a', 'b'), { maxLength: 8 })
      .map((chars) => `/${chars.join('')}`);
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), target, (rules, wanted) => {
        const file = rules.map(([allow, path]) => `${allow ? 'Allow' : 'Disallow'}: ${path}\n`);
        const verdict = parseRobots(`User-agent: a\n${file.join('')}`, ORIGIN);
        expect(verdict.isAllowed(`https://h.example${wanted}`, 'a').allowed).toBe(
          plainVerdict(rules, wanted),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('has the same records without its junk, in no more room', () => {
    fc.assert(
      fc.property(body, (bytes) => {
        const file = Buffer.from(bytes as string);
        const kept = withoutJunk(file);
        expect(robotsRecords(kept)).toEqual(robotsRecords(file));
        expect(kept.length).toBeLessThanOrEqual(file.length);
      }),
      { numRuns: 500 },
    );
    const page = Buffer.from(`<!doctype html>${'<p>Not found</p>\n'.repeat(9000)}`);
    expect(withoutJunk(page).length).toBe(0);
  });

  it('holds each rule once, however many agents share it', () => {
    const count = 8000;
    const agents = Array.from({ length: count }, (_unused, n) => `User-agent: a${n}\n`).join('');
    const file = `${agents}${'Allow:/\n'.repeat(count)}Crawl-delay: 1\n`;
    expect(Buffer.byteLength(file)).toBeLessThan(ROBOTS_MAX_BYTES);
    const groups = readGroups(robotsRecords(file), ORIGIN);
    const rules = groups.rulesOf('a1');
    expect(rules).toHaveLength(count);
    // The very rules, not copies of them: memory is that of the file, not agents × rules.
    expect(groups.rulesOf('a2')[7]).toBe(rules[7]);
    expect(groups.delayMsOf(`a${count - 1}`)).toBe(1000);
  });
});

describe('RulesMemo', () => {
  const encode = (file: string): string => Buffer.from(file).toString('base64');

  it('parses a file once, and anew when it has changed', () => {
    const memo = new RulesMemo();
    const body = encode('User-agent: *\nDisallow: /x');
    const rules = memo.of('https://h.example', body, ORIGIN);
    expect(memo.of('https://h.example', body, ORIGIN)).toBe(rules);
    const changed = memo.of('https://h.example', encode(''), ORIGIN);
    expect(changed.isAllowed('https://h.example/x', 'a').allowed).toBe(true);
    expect(memo.size).toBe(1);
  });

  it('keeps few of the largest files and a thousand of small ones, the latest used', () => {
    const memo = new RulesMemo();
    const large = encode('#'.repeat(ROBOTS_MAX_BYTES));
    for (let n = 0; n < 60; n += 1) memo.of(`https://h${n}.example`, large, ORIGIN);
    expect(memo.size).toBeLessThan(30);
    const first = memo.of('https://first.example', '', ORIGIN);
    for (let n = 0; n < 1500; n += 1) {
      memo.of(`https://s${n}.example`, '', ORIGIN);
      expect(memo.of('https://first.example', '', ORIGIN)).toBe(first);
    }
    expect(memo.size).toBe(1000);
  });
});

/** Longest rule wins, allow wins a tie; by regular expressions, and only for `*`, `$` and letters. */
function plainVerdict(rules: readonly (readonly [boolean, string])[], path: string): boolean {
  const matching = rules.filter(([, rule]) => {
    const isAnchored = rule.endsWith('$');
    const pattern = (isAnchored ? rule.slice(0, -1) : rule)
      .split(/\*+/)
      .map((part) => part.replaceAll('$', '%24'))
      .join('.*');
    return new RegExp(`^${pattern}${isAnchored ? '$' : ''}`).test(path);
  });
  // A dollar sign that is no end is compared in its encoded form.
  const octets = (rule: string): number =>
    rule.length + 2 * [...rule.slice(0, -1)].filter((char) => char === '$').length;
  const longest = Math.max(...matching.map(([, rule]) => octets(rule)));
  const deciding = matching.filter(([, rule]) => octets(rule) === longest);
  return matching.length === 0 || deciding.some(([allow]) => allow);
}
