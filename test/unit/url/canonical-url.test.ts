import { describe, expect, it } from 'vitest';
import { normalizeEscapes } from '../../../src/url/canonical-escapes.js';
import { dropHostTrailingDot } from '../../../src/url/canonical-host.js';
import {
  dropParameters,
  isTrackingParameter,
  TRACKING_PARAMETERS,
} from '../../../src/url/canonical-parameters.js';
import { dropTrailingSlash } from '../../../src/url/canonical-path.js';
import { canonicalUrl, fingerprint } from '../../../src/url/canonical-url.js';

describe('fingerprint (F7)', () => {
  it('is the first 20 hexadecimal digits of the SHA-256', () => {
    // printf 'http://h.example/' | sha256sum
    const expected = '4944fe919acd0368d4ac';
    expect(fingerprint(canonicalUrl('http://h.example'))).toBe(expected);
  });
});

describe('canonical rules', () => {
  it('decode unreserved characters only, and never into a new escape', () => {
    expect(normalizeEscapes('%41%7e%2f%zz%%341%')).toBe('A~%2F%zz%%341%');
  });

  it.each(TRACKING_PARAMETERS)('drop the tracking parameter %s in any case', (name) => {
    const full = name.replace('*', 'any');
    expect(dropParameters(`a=1&${full}=x&${full.toUpperCase()}&b`, isTrackingParameter)).toBe(
      'a=1&b',
    );
  });

  it('keep empty pairs and parameters whose name only contains a tracker', () => {
    expect(dropParameters('a&&xutm_source=1&ref=2', isTrackingParameter)).toBe(
      'a&&xutm_source=1&ref=2',
    );
  });

  it.each([
    ['/', '/'],
    ['/a/', '/a'],
    ['/a//', '/a//'],
    ['//', '//'],
  ])('turn the path %s into %s', (path, expected) => {
    expect(dropTrailingSlash(path)).toBe(expected);
  });

  it.each([
    ['h.example.', 'h.example'],
    ['h.example.:81', 'h.example:81'],
    ['h.example..', 'h.example..'],
    ['.', '.'],
    ['[::1]:81', '[::1]:81'],
  ])('turn the host %s into %s', (host, expected) => {
    expect(dropHostTrailingDot(host)).toBe(expected);
  });
});
