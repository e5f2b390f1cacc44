/** What a URL says by itself, worked out once: the pages of a site link to the same URLs over and over. */
import type { CanonicalSettings } from '../contracts/settings.js';
import { canonicalRulesId } from '../url/canonical-settings.js';
import { fingerprintOf } from '../url/canonical-url.js';
import { hostKey, registeredDomain } from '../url/host-key.js';

/** Pure functions of the URL and the crawl's rules. */
export interface UrlFacts {
  readonly fingerprint: string;
  readonly hostKey: string;
  readonly registeredDomain: string;
}

/** URLs of one generation; two are kept, some 10 MB of ordinary URLs together. */
const GENERATION = 10_000;
/** Longer URLs are worked out each time, so that they can't fill the memory. */
const MAX_CHARS = 500;

/** Remembers the facts of URLs that were asked for lately; crawls with other rules share nothing. */
export class UrlFactsMemo {
  private young = new Map<string, UrlFacts>();
  private old = new Map<string, UrlFacts>();

  /** @throws URL_INVALID, URL_UNSUPPORTED_SCHEME */
  of(url: string, rules: CanonicalSettings): UrlFacts {
    // No URL holds a raw space, so that no two pairs of rules and URL share a key.
    const key = `${canonicalRulesId(rules)} ${url}`;
    let facts = this.young.get(key);
    if (facts !== undefined) return facts;
    facts = this.old.get(key) ?? factsOf(url, rules);
    if (url.length > MAX_CHARS) return facts;
    if (this.young.size >= GENERATION) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, facts);
    return facts;
  }
}

function factsOf(url: string, rules: CanonicalSettings): UrlFacts {
  return {
    fingerprint: fingerprintOf(url, rules),
    hostKey: hostKey(url),
    registeredDomain: registeredDomain(url),
  };
}
