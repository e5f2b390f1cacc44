/** Durations, sizes, host mappings, product tokens: the forms in which people write values. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatSize, parseSize } from '../../../src/config/bytes.js';
import { formatDuration, parseDuration } from '../../../src/config/duration.js';
import { parseHostMapping } from '../../../src/config/host-mapping.js';
import { DEFAULT_USER_AGENT, namesContact, productToken } from '../../../src/config/user-agent.js';

describe('parseDuration', () => {
  it.each([
    [1500, 1500],
    ['1500', 1500],
    ['500ms', 500],
    ['15m', 900_000],
    ['1h30m', 5_400_000],
    ['1h 30m', 5_400_000],
    ['7d', 604_800_000],
    ['1.5s', 1500],
    ['2H', 7_200_000],
    ['0', 0],
  ])('reads %j as %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', 'fast', '-1s', '1w', '5m5m', '1m30', 'm', '1e3', -1, NaN, Infinity])(
    'takes %j for no duration',
    (value) => {
      expect(parseDuration(value)).toBeUndefined();
    },
  );

  it('reads what formatDuration writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e13 }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    );
  });
});

describe('parseSize', () => {
  it.each([
    [10, 10],
    ['10', 10],
    ['10MiB', 10_485_760],
    ['10 mb', 10_000_000],
    ['1.5KiB', 1536],
    ['1GB', 1_000_000_000],
    ['7b', 7],
  ])('reads %j as %d bytes', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each(['', '10k', '10M', '-1', '1TiBB', 'MiB', '1e3', -1, NaN])('takes %j for no size', (v) => {
    expect(parseSize(v)).toBeUndefined();
  });

  it('reads what formatSize writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 45 }), (bytes) => {
        expect(parseSize(formatSize(bytes))).toBe(bytes);
      }),
    );
    expect(formatSize(10 * 1024 ** 2)).toBe('10MiB');
  });
});

describe('parseHostMapping', () => {
  it.each([
    ['a.test=127.0.0.1', { pattern: 'a.test', address: '127.0.0.1', port: null }],
    ['*.Test=127.0.0.1:8080', { pattern: '*.test', address: '127.0.0.1', port: 8080 }],
    ['a.test=[::1]:80', { pattern: 'a.test', address: '::1', port: 80 }],
    ['a.test=[fe80::1]', { pattern: 'a.test', address: 'fe80::1', port: null }],
    ['*=10.0.0.7', { pattern: '*', address: '10.0.0.7', port: null }],
    ['bücher.test=10.0.0.7', { pattern: 'xn--bcher-kva.test', address: '10.0.0.7', port: null }],
  ])('reads %s', (text, mapping) => {
    expect(parseHostMapping(text)).toEqual(mapping);
  });

  it.each([
    'a.test',
    '=127.0.0.1',
    'a.test=',
    'a.test=localhost',
    'a.test=::1',
    'a.test=[127.0.0.1]',
    'a.test=127.0.0.1:0',
    'a.test=127.0.0.1:65536',
    'a.test:80=127.0.0.1',
    'a b=127.0.0.1',
    'a.test=127.0.0.1:80:80',
  ])('takes %s for no mapping', (text) => {
    expect(parseHostMapping(text)).toBeUndefined();
  });
});

describe('productToken', () => {
  it.each([
    ['mybot/1.0 (+https://example.com)', 'mybot'],
    ['my-bot_x', 'my-bot_x'],
    ['Mozilla/5.0 (compatible; ExampleBot/2.1; +https://example.com/bot)', 'ExampleBot'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'Mozilla'],
    [' mybot', undefined],
    ['(nobody)', undefined],
  ])('of %j is %j', (userAgent, token) => {
    expect(productToken(userAgent)).toBe(token);
  });
});

describe('namesContact', () => {
  it('accepts a web or mail address and finds none in the default', () => {
    expect(namesContact('mybot/1.0 (+https://example.com/bot)')).toBe(true);
    expect(namesContact('mybot/1.0 (ops@example.com)')).toBe(true);
    expect(namesContact(DEFAULT_USER_AGENT)).toBe(false);
  });
});
