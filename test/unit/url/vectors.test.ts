import { describe, expect, it } from 'vitest';
import type { ScopeKind } from '../../../src/contracts/settings.js';
import { encodingOf } from '../../../src/parse/charset/encodings.js';
import { resolveLink } from '../../../src/parse/links/resolve-link.js';
import {
  CANONICAL_RULES,
  canonicalSettings,
  type CanonicalChange,
  type CanonicalRule,
} from '../../../src/url/canonical-settings.js';
import { fingerprintOf } from '../../../src/url/canonical-url.js';
import { registeredDomain, registeredDomainOrNull } from '../../../src/url/host-key.js';
import { parseUrl } from '../../../src/url/parse-url.js';
import { compileScope } from '../../../src/url/scope.js';
import { loadVectors } from '../../vectors/load.js';

interface Named {
  name: string;
}
interface ResolveCase extends Named {
  type: 'resolve';
  base: string | null;
  href: string;
  charset?: string;
  url: string | null;
}
interface DedupeCase extends Named {
  type: 'dedupe';
  canonical?: CanonicalChange[];
  same: boolean;
  urls: string[];
}
interface RuleCase extends Named {
  type: 'rule';
  rule: CanonicalRule;
  urls: string[];
}
interface ScopeCase extends Named {
  type: 'scope';
  scope: ScopeKind;
  seed: string;
  href: string;
  include?: string[];
  canonical?: CanonicalChange[];
  inScope: boolean;
}
interface DomainCase {
  category: string;
  host: string;
  registeredDomain: string | null;
}
type UrlCase = ResolveCase | DedupeCase | RuleCase | ScopeCase;

const all = loadVectors<UrlCase>('urls');
function ofType<T extends UrlCase['type']>(type: T) {
  return all.filter((each): each is UrlCase & { type: T } => each.type === type);
}

function prints(urls: readonly string[], changes: readonly CanonicalChange[]): number {
  const rules = canonicalSettings(changes);
  return new Set(urls.map((url) => fingerprintOf(url, rules))).size;
}

describe('links of a page (F7)', () => {
  it.each(ofType('resolve'))('$name', ({ base, href, charset, url }) => {
    if (charset === undefined) expect(parseUrl(href, base ?? undefined)).toBe(url);
    if (base !== null) {
      const encoding = encodingOf(charset ?? 'utf-8');
      expect(resolveLink(href, base, encoding ?? 'unknown')).toBe(url);
    }
  });
});

describe('one page or several (F7)', () => {
  it.each(ofType('dedupe'))('$name: same=$same', ({ urls, same, canonical = [] }) => {
    expect(prints(urls, canonical)).toBe(same ? 1 : urls.length);
  });

  it.each(ofType('rule'))('$name', ({ rule, urls }) => {
    expect({ on: prints(urls, [rule]), off: prints(urls, [`no-${rule}`]) }).toEqual({
      on: 1,
      off: urls.length,
    });
  });

  it('has a vector for every rule', () => {
    const tested = new Set(ofType('rule').map(({ rule }) => rule));
    expect([...tested].sort()).toEqual([...CANONICAL_RULES].sort());
  });
});

describe('compileScope (vectors)', () => {
  it.each(ofType('scope'))('$name', ({ scope, seed, href, include = [], canonical, inScope }) => {
    const settings = { scope, include, exclude: [], canonical: canonicalSettings(canonical ?? []) };
    expect(compileScope([seed], settings).check(href).inScope).toBe(inScope);
  });
});

describe('registered domain (R1, vectors)', () => {
  it.each(loadVectors<DomainCase>('psl'))('$category: $host', (each) => {
    expect(registeredDomainOrNull(each.host)).toBe(each.registeredDomain);
    expect(registeredDomain(each.host)).toBe(
      each.registeredDomain ?? each.host.replace(/:\d+$/, ''),
    );
  });
});
