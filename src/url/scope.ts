/** Which URLs belong to a crawl. Scope belongs to its seeds: no redirect and no page moves it. */

import type { CrawlSettings } from '../contracts/settings.js';
import { dropHostWww } from './canonical-host.js';
import { hostKey, registeredDomain, registeredDomainOrNull } from './host-key.js';
import { parseUrl, requireUrl } from './parse-url.js';
import { compilePattern } from './url-pattern.js';

/** Whether a URL is in scope; `rule` says in words which rule kept it out. */
export type ScopeDecision =
  { readonly inScope: true } | { readonly inScope: false; readonly rule: string };

/** A crawl's compiled scope. */
export interface Scope {
  check(url: string): ScopeDecision;
  /** For seeds, which need not match `include`: a crawl of some folders may begin at the front page. */
  checkSeed(url: string): ScopeDecision;
}

const IN_SCOPE: ScopeDecision = { inScope: true };

/**
 * Compile the scope of a crawl: `host` admits the seeds' hosts (port included), `domain` their
 * registered domains, each over http and https; `exclude` wins over all, and with `include` a URL
 * must match one of its patterns as well, unless it is a seed. Where the canonical form takes
 * `www.` for nothing, so does `host`: else a site that redirects to its `www.` were out of scope.
 *
 * @throws CONFIG_INVALID_OPTION, URL_INVALID, URL_UNSUPPORTED_SCHEME
 */
export function compileScope(
  seeds: readonly string[],
  settings: Pick<CrawlSettings, 'scope' | 'include' | 'exclude'> &
    Partial<Pick<CrawlSettings, 'canonical'>>,
): Scope {
  const urls = seeds.map((seed) => requireUrl(seed, 'seeds'));
  const hostOf = (url: string) => {
    const key = hostKey(url);
    return settings.canonical?.www ? dropHostWww(key, registeredDomainOrNull(key)) : key;
  };
  const hosts = new Set(urls.map(hostOf));
  const domains = new Set(urls.map(registeredDomain));
  const include = settings.include.map((source) => compilePattern(source, 'include'));
  const exclude = settings.exclude.map((source) => compilePattern(source, 'exclude'));

  function refusal(input: string, isSeed: boolean): string | null {
    const url = parseUrl(input);
    if (url === null) return 'not an http or https URL';
    const excluded = exclude.find((pattern) => pattern.test(url));
    if (excluded) return `exclude ${excluded.source}`;
    if (settings.scope === 'host' && !hosts.has(hostOf(url))) {
      return `scope host: ${hostKey(url)} is not a seed's host`;
    }
    if (settings.scope === 'domain' && !domains.has(registeredDomain(url))) {
      return `scope domain: ${registeredDomain(url)} is not a seed's registered domain`;
    }
    if (!isSeed && include.length > 0 && !include.some((pattern) => pattern.test(url))) {
      return `include: matches none of ${settings.include.join(' ')}`;
    }
    return null;
  }

  function decide(url: string, isSeed: boolean): ScopeDecision {
    const rule = refusal(url, isSeed);
    return rule === null ? IN_SCOPE : { inScope: false, rule };
  }
  return {
    check: (url) => decide(url, false),
    checkSeed: (url) => decide(url, true),
  };
}
