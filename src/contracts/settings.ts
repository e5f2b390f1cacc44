/**
 * The settings of one crawl: all options resolved, units in the names, JSON only. The frontier
 * keeps them in the crawl's versioned record; every page of every host is fetched under the newest.
 */

/** Which URLs belong to the crawl: the seeds' hosts, their registered domains, or any. */
export type ScopeKind = 'host' | 'domain' | 'any';

/** One address rule: requests to hosts that match `pattern` connect to `address`[:`port`]. */
export interface HostMapping {
  /** Host name or a pattern with `*`, lower-case, without port. */
  readonly pattern: string;
  readonly address: string;
  /** Null keeps the URL's own port. */
  readonly port: number | null;
}

/** A priority rule: URLs that match get `boost` levels less (sooner) or, negative, more (later). */
export interface PriorityBoost {
  /** Glob over the whole URL (`*` any characters), or `/regular expression/`. */
  readonly pattern: string;
  readonly boost: number;
}

/**
 * Which URLs count as one page: a switch per rule (docs/urls.md). What the WHATWG parser does by
 * itself (case, default port, dot segments, IDN, IPv4 forms), userinfo and fragment are no choice.
 */
export interface CanonicalSettings {
  /** One spelling of percent-escapes: RFC 3986 §6.2.2.1, §6.2.2.2. */
  readonly escapes: boolean;
  /** Characters that RFC 3986 lets stand raw nowhere are encoded. */
  readonly forbiddenCharacters: boolean;
  /** `example.com.` is `example.com`. */
  readonly trailingDot: boolean;
  /** `/docs/` is `/docs`. */
  readonly trailingSlash: boolean;
  /** `/docs?` is `/docs`. */
  readonly emptyQuery: boolean;
  /** Parameters of a kept list that track visits and never choose content are dropped. */
  readonly trackingParameters: boolean;
  /** Session ids in parameters and path parameters are dropped. */
  readonly sessionIds: boolean;
  /** `/docs/index.html` is `/docs/`. */
  readonly indexPages: boolean;
  /** `?b=1&a=2` is `?a=2&b=1`. */
  readonly parameterOrder: boolean;
  /** `www.example.com` is `example.com`. */
  readonly www: boolean;
  /** Further parameters that are dropped, lower-case; `*` ends a prefix. */
  readonly dropParameters: readonly string[];
}

/** What may be changed while a crawl runs or when it is resumed. */
export interface AdjustableSettings {
  /** Stored pages at most; null is no limit. */
  readonly maxPages: number | null;
  /** Navigation hops from a seed at most; null is no limit. */
  readonly maxDepth: number | null;
  /** Running time at most, from start or resume; null is no limit. */
  readonly maxDurationMs: number | null;
  /** Stored pages of one host at most; null is no limit. */
  readonly perHostLimit: number | null;
  /** Hosts fetched at once. */
  readonly concurrency: number;
  /** From the end of one response of a host to the next request to it, at least. */
  readonly delayMs: number;
  /** Delay as a multiple of the last fetch's duration, at least; 0 switches it off. */
  readonly delayFactor: number;
  /** Ceiling for a Crawl-delay in robots.txt and for delayFactor; said aloud where it cuts. */
  readonly maxDelayMs: number;
  /** How long a host may be out of reach before its URLs become dead letters. */
  readonly hostPatienceMs: number;
  /** Further tries of a URL after a retryable failure. */
  readonly retries: number;
  /** Hold back what looks like a crawl trap; false fetches it like anything else. */
  readonly traps: boolean;
  /** Pages of a host with the same text, digits and dates aside, whose links are followed. */
  readonly trapBudget: number;
}

/**
 * What one turn (one activity's run on a host) may take where it takes more than one page: with a
 * delay under a second, and with so many active hosts that one turn a page would be too many.
 */
export interface TurnSettings {
  readonly maxPages: number;
  readonly maxMs: number;
  /** Turns a second of all hosts together at most: what the crawl may ask of its Temporal. */
  readonly maxPerSecond: number;
}

/** All settings of a crawl, resolved. */
export interface CrawlSettings extends AdjustableSettings {
  readonly scope: ScopeKind;
  /** Globs or `/regular expressions/` over the whole URL: only matching URLs are admitted. */
  readonly include: readonly string[];
  /** Likewise: matching URLs are refused. Wins over `include`. */
  readonly exclude: readonly string[];
  readonly priorities: readonly PriorityBoost[];
  readonly maxHostsPerDomain: number;
  readonly robots: 'obey' | 'ignore';
  readonly sitemaps: boolean;
  /** Follow the links of RSS and Atom documents. */
  readonly feeds: boolean;
  /** Fetch what pages embed: images, scripts, style sheets, media. */
  readonly embeds: boolean;
  /** Follow the actions of forms that are sent by GET. */
  readonly forms: boolean;
  /** Follow URLs that stand in plain text. */
  readonly textLinks: boolean;
  readonly canonical: CanonicalSettings;
  readonly userAgent: string;
  /** Product token by which robots.txt groups are chosen. */
  readonly robotsAgent: string;
  /** Decoded body bytes kept of one response at most. */
  readonly maxBytes: number;
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /** Silence within a body at most. */
  readonly bodyTimeoutMs: number;
  /** One request from first byte sent to last byte read, at most. */
  readonly totalTimeoutMs: number;
  readonly dedupe: 'bloom' | 'exact';
  /** Chance that the Bloom filter takes a new URL for a seen one. */
  readonly bloomErrorRate: number;
  /** URLs for which the Bloom filter is reserved; it grows past that at a higher price a URL. */
  readonly bloomCapacity: number;
  readonly allowPrivate: boolean;
  readonly mapHosts: readonly HostMapping[];
  readonly cookies: boolean;
  readonly turn: TurnSettings;
  /** Folder of the crawl's output: `<out>/<crawlId>/`. */
  readonly out: string;
  /** How long a finished crawl's frontier is kept. */
  readonly keepMs: number;
}
