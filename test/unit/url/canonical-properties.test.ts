import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanonicalSettings } from '../../../src/contracts/settings.js';
import { normalizeEscapes } from '../../../src/url/canonical-escapes.js';
import {
  CANONICAL_RULES,
  canonicalSettings,
  type CanonicalChange,
} from '../../../src/url/canonical-settings.js';
import { canonicalUrl, fingerprintOf } from '../../../src/url/canonical-url.js';
import { hostKey, registeredDomain, registeredDomainOrNull } from '../../../src/url/host-key.js';
import { parseUrl } from '../../../src/url/parse-url.js';

/** Each rule on or off, and sometimes parameters to drop. */
const anyRules: fc.Arbitrary<CanonicalSettings> = fc
  .tuple(
    fc.tuple(...CANONICAL_RULES.map(() => fc.boolean())),
    fc.constantFrom<string[]>([], [], ['a'], ['a*', 'sid']),
  )
  .map(([isOn, dropped]) => {
    const changes = CANONICAL_RULES.map((rule, n): CanonicalChange =>
      isOn[n] ? rule : `no-${rule}`,
    );
    return canonicalSettings(changes, dropped);
  });
const ALL_ON = canonicalSettings([...CANONICAL_RULES]);

/** Pieces on which the rules, the parser and their meetings act. */
const piece = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...'aZ9%2e4E1/.?&=#;+[]|~-_é\\@:(){} '.split('')),
    maxLength: 6,
  }),
  fc.constantFrom(
    ...['utm_x=1', 'a=', 'sid=', 'abcdefgh12345678', ';jsessionid=1', '/(S(abcdefgh12345678))'],
    ...[
      '/index.html',
      '/default.asp',
      '/',
      '//',
      '/..',
      '/.',
      '..',
      '%2e',
      '%%',
      '%73id',
      '&',
      '?',
    ],
    ...['CFID=1&CFTOKEN=2', 's=0123456789abcdef0123456789abcdef', '%5B', 'www.', 'index.php'],
  ),
);
const anyUrl = fc
  .tuple(
    fc.constantFrom('http', 'https', 'HTTP'),
    fc.constantFrom(
      ...[
        'h.example',
        'H.e.:80',
        '1.2',
        '[::1]:8',
        '..',
        'www.www.h.example:81',
        'www.com',
        'www.',
      ],
      ...['www.h.example.', 'www.co.uk.', 'xn--bcher-kva.example', 'bücher.example:443'],
    ),
    fc.array(piece, { maxLength: 8 }),
  )
  .map(([scheme, host, rest]) => `${scheme}://${host}/${rest.join('')}`);

describe('canonicalUrl of any input (F7)', () => {
  it('is idempotent under any rules, and a URL that stands as it is', () => {
    fc.assert(
      fc.property(anyUrl, anyRules, (url, rules) => {
        const once = canonicalUrl(url, rules);
        expect(canonicalUrl(once, rules)).toBe(once);
        if (parseUrl(url) !== null) expect(parseUrl(once)).toBe(once);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is total and idempotent over any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), anyRules, (text, rules) => {
        const once = canonicalUrl(text, rules);
        expect(canonicalUrl(once, rules)).toBe(once);
        expect(fingerprintOf(text, rules)).toMatch(/^[0-9a-f]{20}$/);
      }),
      { numRuns: 1_000 },
    );
  });

  it('never changes the scheme, nor the port, nor makes a host of one site that of another', () => {
    fc.assert(
      fc.property(anyUrl, anyRules, (url, rules) => {
        const parsed = parseUrl(url);
        if (parsed === null) return;
        const before = new URL(parsed);
        const after = new URL(canonicalUrl(url, rules));
        expect([after.protocol, after.port]).toEqual([before.protocol, before.port]);
        expect(registeredDomain(after.href)).toBe(registeredDomain(before.href));
      }),
      { numRuns: 1_000 },
    );
  });

  it('with every rule off the form is what the URL parser wrote, its userinfo and fragment aside', () => {
    const allOff = canonicalSettings(CANONICAL_RULES.map((rule): CanonicalChange => `no-${rule}`));
    fc.assert(
      fc.property(anyUrl, (url) => {
        expect(canonicalUrl(url, allOff)).toBe(parseUrl(url) ?? url);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['index pages', 'http://h.example' + '/index.html'.repeat(1_400)],
    ['session ids', 'http://h.example/' + ';sid=abcdefgh12345678'.repeat(700)],
    ['ASP.NET segments', 'http://h.example' + '/(S(abcdefgh12345678))'.repeat(700)],
    ['unclosed parentheses', 'http://h.example/(' + 'S(abcdefgh12345678'.repeat(800)],
    ['digits in parentheses', 'http://h.example' + '/(0'.repeat(5_000)],
    ['parameters', 'http://h.example/?' + 'utm_x&b&'.repeat(2_000)],
    ['escapes', 'http://h.example/' + '%%34'.repeat(4_000)],
    ['www', 'http://' + 'www.'.repeat(60) + 'h.example/'],
    ['dot segments that sessions hide', 'http://h.example' + '/a/..;jsessionid=1'.repeat(800)],
  ])('takes few steps for the longest URL of %s', (_what, url) => {
    const once = canonicalUrl(url, ALL_ON);
    expect(canonicalUrl(once, ALL_ON)).toBe(once);
  });
});

describe('what a URL belongs to, of any input', () => {
  it('registeredDomain is total, and the domain of a domain is itself', () => {
    fc.assert(
      fc.property(fc.oneof(anyUrl, fc.string({ unit: 'binary' }), fc.domain()), (text) => {
        const domain = registeredDomain(text);
        if (registeredDomainOrNull(text) !== null) expect(registeredDomain(domain)).toBe(domain);
      }),
      { numRuns: 2_000 },
    );
  });

  it('hostKey is that of the canonical form under the default rules', () => {
    fc.assert(
      fc.property(anyUrl, (url) => {
        if (parseUrl(url) !== null) expect(hostKey(canonicalUrl(url))).toBe(hostKey(url));
      }),
      { numRuns: 1_000 },
    );
  });

  it('normalizeEscapes never makes an escape that was not there', () => {
    const text = fc.string({ unit: fc.constantFrom(...'%%%2345aAfF0x'.split('')), maxLength: 12 });
    const bytes = (escapes: string) => escapes.match(/%[0-9A-Fa-f]{2}/g)?.length ?? 0;
    fc.assert(
      fc.property(text, (before) => {
        const after = normalizeEscapes(before);
        expect(normalizeEscapes(after)).toBe(after);
        expect(bytes(after)).toBeLessThanOrEqual(bytes(before));
      }),
      { numRuns: 3_000 },
    );
  });
});
