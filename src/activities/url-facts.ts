/** What a URL says by itself, worked out once: the pages of a site link to the same URLs over and over. */
import { fingerprintOf } from '../url/canonical-url.js';
import { hostKey, registeredDomain } from '../url/host-key.js';

/** Pure functions of the URL. */
export interface UrlFacts {
  readonly fingerprint: string;
  readonly hostKey: string;
  readonly registeredDomain: string;
}

/** URLs of one generation; two are kept, some 10 MB of ordinary URLs together. */
const GENERATION = 10_000;
/** Longer URLs are worked out each time, so that they can't fill the memory. */
const MAX_CHARS = 500;

/** Remembers the facts of URLs that were asked for lately. */
export class UrlFactsMemo {
  private young = new Map<string, UrlFacts>();
  private old = new Map<string, UrlFacts>();

  /** @throws URL_INVALID, URL_UNSUPPORTED_SCHEME */
  of(url: string): UrlFacts {
    let facts = this.young.get(url);
    if (facts !== undefined) return facts;
    facts = this.old.get(url) ?? factsOf(url);
    if (url.length > MAX_CHARS) return facts;
    if (this.young.size >= GENERATION) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(url, facts);
    return facts;
  }
}

function factsOf(url: string): UrlFacts {
  return {
    fingerprint: fingerprintOf(url),
    hostKey: hostKey(url),
    registeredDomain: registeredDomain(url),
  };
}
