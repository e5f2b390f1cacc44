import { describe, expect, it } from 'vitest';
import { DEFAULT_CANONICAL } from '../../../src/url/canonical-settings.js';
import { fingerprintOf } from '../../../src/url/canonical-url.js';
import { registeredDomainOrNull } from '../../../src/url/host-key.js';
import { parseUrl } from '../../../src/url/parse-url.js';
import {
  hasSharedCases,
  sharedCases,
  sharedName,
  type SharedCase,
} from '../../vectors/shared-cases.js';

interface UrlCase extends SharedCase {
  type: 'resolve' | 'equivalence' | 'scope';
  base: string | null;
  href: string;
  fetchUrl: string | null;
  documentCharset?: string;
  purpose: 'fetch' | 'dedupe' | 'dedupe-aggressive';
  urls: string[];
  same: boolean;
}

interface DomainCase extends SharedCase {
  host: string;
  registeredDomain: string | null;
}

const printOf = (url: string) => fingerprintOf(url, DEFAULT_CANONICAL);

describe('public URL cases', () => {
  it.skipIf(!hasSharedCases)(sharedName('resolve as expected, without userinfo'), () => {
    const failing = sharedCases<UrlCase>('urls')
      .filter(({ type, documentCharset }) => type === 'resolve' && !documentCharset)
      .filter(({ base, href, fetchUrl }) => {
        const expected = fetchUrl === null ? null : parseUrl(fetchUrl);
        return parseUrl(href, base ?? undefined) !== expected;
      });
    expect(failing.map(({ name }) => name)).toEqual([]);
  });

  it.skipIf(!hasSharedCases)(sharedName('are equal or distinct as expected (F7)'), () => {
    const failing = sharedCases<UrlCase>('urls')
      .filter(({ type }) => type === 'equivalence')
      .filter(({ purpose, urls, same }) => {
        const forms = new Set<unknown>(
          urls.map(purpose === 'fetch' ? (u) => parseUrl(u) : printOf),
        );
        // What is another request must be another fingerprint too.
        const isSplit = same || new Set(urls.map(printOf)).size > 1;
        return (forms.size === 1) !== same || !isSplit;
      });
    expect(failing.map(({ name }) => name)).toEqual([]);
  });

  it.skipIf(!hasSharedCases)(sharedName('have the registered domain that the list gives'), () => {
    const ascii = (host: string | null) => (host === null ? null : new URL(`http://${host}`).host);
    const failing = sharedCases<DomainCase>('psl').filter(
      ({ host, registeredDomain }) =>
        ascii(registeredDomainOrNull(`http://${host}/`)) !== ascii(registeredDomain),
    );
    expect(failing.map(({ name }) => name)).toEqual([]);
  });
});
