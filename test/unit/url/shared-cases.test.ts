import { describe, expect, it } from 'vitest';
import type { CanonicalSettings } from '../../../src/contracts/settings.js';
import { encodingOf } from '../../../src/parse/charset/encodings.js';
import { resolveLink } from '../../../src/parse/links/resolve-link.js';
import { canonicalSettings, DEFAULT_CANONICAL } from '../../../src/url/canonical-settings.js';
import { fingerprintOf } from '../../../src/url/canonical-url.js';
import { registeredDomainOrNull } from '../../../src/url/host-key.js';
import { parseUrl } from '../../../src/url/parse-url.js';
import { compileScope } from '../../../src/url/scope.js';
import {
  allSharedCases,
  caseExceptions,
  hasSharedCases,
  sharedCases,
  sharedName,
  type SharedCase,
} from '../../vectors/shared-cases.js';

interface UrlCase extends SharedCase {
  type: 'resolve' | 'equivalence' | 'scope';
  category: string;
  base: string | null;
  href: string;
  fetchUrl?: string | null;
  resolved: string | null;
  documentCharset?: string;
  purpose: 'fetch' | 'dedupe' | 'dedupe-aggressive';
  urls: string[];
  same: boolean;
  strategy: 'all' | 'same-origin' | 'same-hostname' | 'same-domain';
  origin: string;
  target: string;
  inScope: boolean;
}

interface DomainCase extends SharedCase {
  host: string;
  registeredDomain: string | null;
}

function prints(urls: readonly string[], rules: CanonicalSettings = DEFAULT_CANONICAL): number {
  return new Set(urls.map((url) => fingerprintOf(url, rules))).size;
}

/** The other project's notions in ours: its origin is a host of ours under one scheme. */
function scopeOf(strategy: UrlCase['strategy'], origin: string) {
  const include = strategy === 'same-origin' ? [`${new URL(origin).origin}/*`] : [];
  const kinds = { all: 'any', 'same-domain': 'domain' } as const;
  const scope = strategy in kinds ? kinds[strategy as keyof typeof kinds] : 'host';
  return compileScope([origin], { scope, include, exclude: [] });
}

const names = (cases: readonly SharedCase[]) => cases.map(({ name }) => name);

describe('public URL cases', () => {
  it.skipIf(!hasSharedCases)(sharedName('resolve as expected, without userinfo'), () => {
    const failing = sharedCases<UrlCase>('urls')
      .filter(({ type, documentCharset }) => type === 'resolve' && !documentCharset)
      .filter(({ base, href, fetchUrl }) => {
        const expected = fetchUrl === null ? null : parseUrl(fetchUrl ?? '');
        return parseUrl(href, base ?? undefined) !== expected;
      });
    expect(names(failing)).toEqual([]);
  });

  it.skipIf(!hasSharedCases)(sharedName('have their query in the encoding of the page'), () => {
    const cases = sharedCases<UrlCase>('urls').filter((each) => each.documentCharset);
    const failing = cases.filter(({ base, href, resolved, documentCharset }) => {
      const encoding = encodingOf(documentCharset ?? '') ?? 'unknown';
      return resolveLink(href, base ?? 'http://base.example/', encoding) !== resolved;
    });
    expect(names(failing)).toEqual([]);
    expect(cases).not.toEqual([]);
  });

  it.skipIf(!hasSharedCases)(sharedName('are equal or distinct as expected (F7)'), () => {
    const failing = sharedCases<UrlCase>('urls')
      .filter(({ type }) => type === 'equivalence')
      .filter(({ purpose, urls, same }) => {
        const forms =
          purpose === 'fetch' ? new Set(urls.map((url) => parseUrl(url))).size : prints(urls);
        // What is another request must be another fingerprint too.
        return (forms === 1) !== same || (!same && prints(urls) === 1);
      });
    expect(names(failing)).toEqual([]);
  });

  it.skipIf(!hasSharedCases)(sharedName('are in scope or not as expected'), () => {
    const cases = sharedCases<UrlCase>('urls').filter(({ type }) => type === 'scope');
    const failing = cases.filter(
      ({ strategy, origin, target, inScope }) =>
        scopeOf(strategy, origin).check(target).inScope !== inScope,
    );
    expect(names(failing)).toEqual([]);
    expect(cases).not.toEqual([]);
  });

  it.skipIf(!hasSharedCases)(sharedName('that only a switch merges are merged by it'), () => {
    const failing = allSharedCases<UrlCase>('urls')
      .filter(({ category, same }) => category === 'session-id-and-default-page' && same)
      .filter(({ urls }) => !/#.*\?|&&|\/\/path/.test(urls[0] ?? ''))
      .filter(({ urls }) => {
        const rules = canonicalSettings([
          urls.some((url) => /\/(?:index|default)\.\w+$/i.test(url)) ? 'indexPages' : 'sessionIds',
        ]);
        const isOursByDefault = /[?]$|#/.test(urls[0] ?? '');
        return prints(urls, rules) > 1 || (prints(urls) === 1) !== isOursByDefault;
      });
    expect(names(failing)).toEqual([]);
  });

  it.skipIf(!hasSharedCases)(sharedName('that no switch may merge stay distinct'), () => {
    const most = canonicalSettings(['sessionIds', 'indexPages', 'parameterOrder', 'www']);
    const failing = allSharedCases<UrlCase>('urls')
      .filter(({ purpose, same }) => purpose === 'dedupe-aggressive' && !same)
      .filter(({ urls }) => prints(urls, most) !== urls.length);
    expect(names(failing)).toEqual([]);
  });

  it.skipIf(!hasSharedCases)(sharedName('have the registered domain that the list gives'), () => {
    const ascii = (host: string | null) => (host === null ? null : new URL(`http://${host}`).host);
    const failing = sharedCases<DomainCase>('psl').filter(
      ({ host, registeredDomain }) =>
        ascii(registeredDomainOrNull(`http://${host}/`)) !== ascii(registeredDomain),
    );
    expect(names(failing)).toEqual([]);
  });

  it.skipIf(!hasSharedCases)(sharedName('that are left out exist, each with its reason'), () => {
    for (const { file, name, reason } of caseExceptions) {
      expect(names(allSharedCases(file))).toContain(name);
      expect(reason).toMatch(/§|RFC|WHATWG|standard/);
    }
  });
});
