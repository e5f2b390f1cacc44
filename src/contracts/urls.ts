/** What the engine knows of URLs: queued items, outcomes, reasons. JSON shapes only. */

/** Why a URL is not fetched though it was found. */
export type SkipReason =
  | 'outOfScope'
  | 'robotsTxt'
  | 'depth'
  | 'hostLimit'
  | 'pageLimit'
  | 'trap'
  | 'unsupportedType'
  | 'tooLarge'
  | 'privateAddress'
  | 'nofollow';

/** A URL's final outcome (its disposition), or `retrying` while it has attempts left. */
export type Outcome =
  'fetched' | 'redirected' | 'notModified' | 'duplicate' | 'skipped' | 'retrying' | 'failed';

/** A letter per hop from the seed: L link, E embed, R redirect, M manifest or sitemap, S feed. */
export type HopLetter = 'L' | 'E' | 'R' | 'M' | 'S';

/** What a queued URL is: a page, or a list of URLs (sitemap) that is read but not exported. */
export type UrlKind = 'page' | 'sitemap';

/** A URL as the frontier queues it. */
export interface QueuedUrl {
  /** What is requested: WHATWG serialisation without fragment. */
  readonly url: string;
  readonly kind: UrlKind;
  /** Navigation hops from a seed (redirects and sitemaps do not count). */
  readonly depth: number;
  /** Hop path from the seed, newest last; at most 32 letters are kept. */
  readonly hops: string;
  /** The discovering page; empty for a seed. */
  readonly via: string;
  /** Tries so far. */
  readonly attempts: number;
}

/** What says that a URL may belong to a crawl trap (docs/traps.md). */
export type TrapRule =
  /** By its shape (src/traps). */
  | 'repeatedPath'
  | 'deepPath'
  | 'repeatedParameter'
  | 'growingQuery'
  | 'nestedUrl'
  | 'calendar'
  | 'sessionId'
  | 'longUrl'
  /** Found on the newest of many pages that say the same. */
  | 'alikePages'
  /** Found on a page that says nothing new, of a host with too many of those. */
  | 'alikeHost'
  /** Its registered domain has too many hosts. */
  | 'maxHostsPerDomain'
  /** Sitemaps that name sitemaps without end. */
  | 'sitemapHops';

/** A rule that suspects a URL: it is fetched after all others, or held back. */
export interface Suspicion {
  readonly rule: TrapRule;
  readonly weight: 'later' | 'hold';
}

/** A URL that is offered to the frontier. */
export interface DiscoveredUrl extends QueuedUrl {
  /** Fingerprint of the canonical URL. */
  readonly fingerprint: string;
  /** Host queue that it belongs to. */
  readonly hostKey: string;
  readonly registeredDomain: string;
  /** Priority level: smaller is sooner; 0 to 255. */
  readonly level: number;
  readonly suspicion?: Suspicion;
}

/** How a page leads to another (docs/links.md). */
export type NavigationKind =
  'a' | 'area' | 'frame' | 'iframe' | 'link' | 'refresh' | 'header' | 'form' | 'text';

/** How a page loads what it shows (docs/links.md). */
export type EmbedKind =
  | 'img'
  | 'srcset'
  | 'script'
  | 'css'
  | 'icon'
  | 'preload'
  | 'manifest'
  | 'media'
  | 'object'
  | 'embed'
  | 'background';

/** One link of a document. */
export interface Link {
  /** Absolute, WHATWG serialisation, without fragment; http or https. */
  readonly url: string;
  readonly kind: NavigationKind | EmbedKind;
  /** rel=nofollow, ugc or sponsored on the link itself. */
  readonly nofollow: boolean;
}

/** The record that a sink keeps of one final outcome; `export` prints these. */
export interface PageRecord {
  readonly url: string;
  readonly finalUrl: string;
  readonly outcome: Exclude<Outcome, 'retrying'>;
  /** Skip reason or error code; null for a fetched page. */
  readonly reason: string | null;
  readonly status: number | null;
  readonly contentType: string | null;
  /** Decoded body bytes. */
  readonly bytes: number;
  /** `sha256:<hex>` of the decoded body; null without one. */
  readonly digest: string | null;
  /**
   * 16 hexadecimal digits by which pages that say the same are found: of the text without markup,
   * digits and dates (docs/traps.md). Null for what is no HTML.
   */
  readonly textDigest: string | null;
  readonly depth: number;
  readonly hops: string;
  readonly via: string | null;
  readonly title: string | null;
  /** ISO 8601, UTC. */
  readonly fetchedAt: string;
  readonly fetchMs: number;
  /** Out-links found. */
  readonly links: number;
  /** The body was cut, or a bound of parsing was reached (docs/links.md): there may be more links. */
  readonly truncated: boolean;
  /**
   * The page asks by meta robots or X-Robots-Tag not to be shown in search results (docs/robots.md):
   * it is stored and its links count, whoever builds an index leaves it out.
   */
  readonly noindex: boolean;
}

/** A sink record with what orders several records of one URL: a later owner, turn, attempt wins. */
export interface SinkRecord extends PageRecord {
  readonly fingerprint: string;
  readonly kind: UrlKind;
  readonly owner: string;
  readonly turn: number;
  readonly attempt: number;
}
