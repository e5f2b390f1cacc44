import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRACKING_PARAMETERS } from '../../../src/url/canonical-parameters.js';
import { CANONICAL_RULES, canonicalSettings } from '../../../src/url/canonical-settings.js';
import { canonicalUrl, fingerprintOf } from '../../../src/url/canonical-url.js';

const ALL_ON = canonicalSettings([...CANONICAL_RULES]);

describe('equivalence groups (F7)', () => {
  const word = fc
    .string({ unit: fc.constantFrom(...'abcXYZ019-_~.'.split('')), minLength: 1, maxLength: 8 })
    .filter((text) => !/^\.+$/.test(text));
  /** A plain URL in parts that each way of writing can be applied to. */
  const plain = fc.record({
    host: fc.constantFrom<string>('h.example', 'www.shop.co.uk', 'xn--bcher-kva.example'),
    secure: fc.boolean(),
    path: fc.array(word, { maxLength: 3 }),
    query: fc.array(fc.tuple(word, word), { maxLength: 3 }),
  });
  type Plain = typeof plain extends fc.Arbitrary<infer T> ? T : never;

  const write = ({ host, secure, path, query }: Plain, port = '') =>
    `http${secure ? 's' : ''}://${host}${port}/${path.join('/')}` +
    (query.length > 0 ? `?${query.map((pair) => pair.join('=')).join('&')}` : '');
  const escaped = (text: string) =>
    text.replace(/[a-z]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  const tracker = TRACKING_PARAMETERS.map((name) => name.replace('*', 'x'));

  /** Other ways to write the same page. */
  const SAME: Record<string, (parts: Plain, n: number) => string> = {
    'case of the host': (parts) => write({ ...parts, host: parts.host.toUpperCase() }),
    'default port': (parts) => write(parts, parts.secure ? ':443' : ':80'),
    'empty port': (parts) => write(parts, ':'),
    'trailing dot of the host': (parts) => write({ ...parts, host: `${parts.host}.` }),
    userinfo: (parts) => write({ ...parts, host: `u:p@${parts.host}` }),
    fragment: (parts) => `${write(parts)}#x?y`,
    'blanks around': (parts) => ` \t${write(parts)}\n`,
    'escaped letters of the path': (parts) => write({ ...parts, path: parts.path.map(escaped) }),
    'escaped letters of the query': (parts) =>
      write({
        ...parts,
        query: parts.query.map(([name, value]) => [escaped(name), escaped(value)]),
      }),
    'dot segments': (parts) => write({ ...parts, path: ['.', 'x', '..', '%2e', ...parts.path] }),
    'trailing slash': (parts) =>
      write({ ...parts, path: parts.path.length > 0 ? [...parts.path, ''] : [] }),
    'tracking parameter': (parts, n) => {
      const pair: [string, string] = [tracker[n % tracker.length] ?? '', 'v'];
      const at = n % (parts.query.length + 1);
      return write({
        ...parts,
        query: [...parts.query.slice(0, at), pair, ...parts.query.slice(at)],
      });
    },
    backslashes: (parts) =>
      write({ ...parts, path: parts.path }).replace(/^(https?:)\/\//, '$1\\\\'),
  };

  it.each(Object.keys(SAME))('%s: the same fingerprint', (name) => {
    fc.assert(
      fc.property(plain, fc.nat(1_000), (parts, n) => {
        const rules = canonicalSettings([]);
        expect(canonicalUrl(SAME[name]!(parts, n), rules)).toBe(canonicalUrl(write(parts), rules));
      }),
      { numRuns: 200 },
    );
  });

  /** Another page, whatever the rules. */
  const OTHER: Record<string, (parts: Plain) => string> = {
    scheme: (parts) => write({ ...parts, secure: !parts.secure }),
    port: (parts) => write(parts, ':8081'),
    host: (parts) => write({ ...parts, host: `a.${parts.host}` }),
    'one more segment': (parts) => write({ ...parts, path: [...parts.path, 'x'] }),
    'an empty segment': (parts) => write({ ...parts, path: ['', ...parts.path, 'x'] }),
    'two trailing slashes': (parts) => write({ ...parts, path: [...parts.path, 'x', '', ''] }),
    'case of the path': (parts) => write({ ...parts, path: [...parts.path, 'X'] }),
    'an encoded slash': (parts) => write({ ...parts, path: [`${parts.path.join('%2F')}%2Fx`] }),
    'an encoded percent sign': (parts) => write({ ...parts, path: [...parts.path, '%2541'] }),
    'one more parameter': (parts) => write({ ...parts, query: [...parts.query, ['newsId', '1']] }),
    'another value': (parts) => write({ ...parts, query: [...parts.query, ['newsId', '2']] }),
    'no value': (parts) => write({ ...parts, query: [...parts.query, ['newsId', '']] }),
    'an encoded ampersand': (parts) =>
      write({ ...parts, query: [...parts.query, ['n%26wsId', '1']] }),
    'case of a parameter': (parts) => write({ ...parts, query: [...parts.query, ['newsid', '1']] }),
  };

  it('no two of the differences share a fingerprint, with every rule on', () => {
    fc.assert(
      fc.property(plain, (parts) => {
        const urls = [write(parts), ...Object.values(OTHER).map((change) => change(parts))];
        const prints = new Set(urls.map((url) => fingerprintOf(url, ALL_ON)));
        expect(prints.size).toBe(urls.length);
      }),
      { numRuns: 500 },
    );
  });
});
