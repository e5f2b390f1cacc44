import { describe, expect, it } from 'vitest';
import {
  ROBOTS_RETRY_MAX_MS,
  ROBOTS_RETRY_MS,
  ROBOTS_TTL_MS,
  robotsAccess,
  robotsRecheckMs,
  robotsUrl,
} from '../../../src/robots/access.js';

describe('robotsAccess (RFC 9309 §2.3.1)', () => {
  it.each([
    [200, 'parse'],
    [204, 'parse'],
    [301, 'allowAll'],
    [304, 'disallowAll'],
    [206, 'parse'],
    [300, 'allowAll'],
    [308, 'allowAll'],
    [418, 'allowAll'],
    [451, 'allowAll'],
    [499, 'allowAll'],
    [999, 'disallowAll'],
    [400, 'allowAll'],
    [401, 'allowAll'],
    [403, 'allowAll'],
    [404, 'allowAll'],
    [410, 'allowAll'],
    [429, 'disallowAll'],
    [500, 'disallowAll'],
    [503, 'disallowAll'],
    [600, 'disallowAll'],
    [100, 'disallowAll'],
  ])('status %i: %s', (status, access) => {
    expect(robotsAccess({ status })).toBe(access);
  });

  it('forbids everything for now while there is no answer', () => {
    expect(robotsAccess({ error: 'FETCH_CONNECT' })).toBe('disallowAll');
  });
});

describe('robotsRecheckMs', () => {
  it('keeps an answer for a day', () => {
    expect(robotsRecheckMs('parse')).toBe(ROBOTS_TTL_MS);
    expect(robotsRecheckMs('allowAll')).toBe(ROBOTS_TTL_MS);
  });

  it('asks an unreachable file again after a wait that doubles up to its maximum', () => {
    expect([1, 2, 3].map((failures) => robotsRecheckMs('disallowAll', failures))).toEqual([
      ROBOTS_RETRY_MS,
      2 * ROBOTS_RETRY_MS,
      4 * ROBOTS_RETRY_MS,
    ]);
    expect(robotsRecheckMs('disallowAll', 1_000)).toBe(ROBOTS_RETRY_MAX_MS);
  });
});

describe('robotsUrl', () => {
  it.each([
    ['https://h.example/a/b?c#d', 'https://h.example/robots.txt'],
    ['http://u:p@h.example:8080', 'http://h.example:8080/robots.txt'],
    ['http://[::1]/', 'http://[::1]/robots.txt'],
  ])('%s → %s', (page, expected) => {
    expect(robotsUrl(page)).toBe(expected);
  });

  it('refuses what is no URL', () => {
    expect(() => robotsUrl('x')).toThrow(expect.objectContaining({ code: 'URL_INVALID' }));
  });
});
