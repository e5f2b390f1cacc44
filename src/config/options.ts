/**
 * What a user says of a crawl. One spelling in flags, environment, config file and API; the table
 * with all of them is docs/options.md. Everything but the seeds has a default, and an explicit
 * `undefined` means that default.
 */

import type { HostMapping, PriorityBoost, ScopeKind } from '../contracts/settings.js';
import type { CanonicalChange } from '../url/canonical-settings.js';

/** Milliseconds as a number, or text with units: `500ms`, `15m`, `1h30m`, `7d`. */
export type Duration = number | string;

/** Bytes as a number, or text with a unit: `512KiB`, `10MiB`, `10MB`. */
export type Size = number | string;

/** Options of one crawl. */
export interface CrawlOptions {
  /** Where the crawl begins: at least one absolute http or https URL. */
  seeds: readonly string[];

  // What belongs to the crawl

  /**
   * Which discovered URLs are admitted: those of the seeds' hosts, of the seeds' registered domains
   * (eTLD+1, so `www.` and `docs.` of one site belong together), or any.
   * @default 'domain'
   */
  scope?: ScopeKind | undefined;
  /**
   * Globs (`*` any characters) or `/regular expressions/` over the whole URL: only matching ones
   * are admitted. Seeds are always admitted.
   * @default [] (all)
   */
  include?: readonly string[] | undefined;
  /**
   * Likewise: matching URLs are refused. Wins over `include`.
   * @default []
   */
  exclude?: readonly string[] | undefined;
  /**
   * Order among queued URLs besides depth: text `PATTERN=BOOST` or an object; matching URLs come
   * BOOST levels sooner, with a negative one later.
   * @default []
   */
  priorities?: readonly (string | PriorityBoost)[] | undefined;
  /**
   * Navigation hops from a seed at most; 0 fetches the seeds alone, null is no limit.
   * @default null, because scope and maxPages bound a crawl better than depth does
   */
  maxDepth?: number | null | undefined;
  /**
   * Stored pages at most; null is no limit.
   * @default null
   */
  maxPages?: number | null | undefined;
  /**
   * Running time at most, counted from start or resume; null is no limit.
   * @default null
   */
  maxDuration?: Duration | null | undefined;
  /**
   * Stored pages of one host at most; null is no limit.
   * @default null
   */
  perHostLimit?: number | null | undefined;
  /**
   * Hosts of one registered domain at most: wildcard DNS makes endless ones.
   * @default 1000
   */
  maxHostsPerDomain?: number | undefined;
  /**
   * Read the sitemaps that robots.txt names.
   * @default true
   */
  sitemaps?: boolean | undefined;
  /**
   * Follow the links of RSS and Atom documents that the crawl meets.
   * @default true
   */
  feeds?: boolean | undefined;
  /**
   * Fetch what pages embed too: images, scripts, style sheets, media.
   * @default false
   */
  embeds?: boolean | undefined;
  /**
   * Follow the actions of forms that are sent by GET, without any field.
   * @default false, because a form asks a question that no link asked
   */
  forms?: boolean | undefined;
  /**
   * Follow http and https URLs that stand in plain text, outside of any link.
   * @default false, because much of what looks like a URL in text is none
   */
  textLinks?: boolean | undefined;

  // Which URLs are one page

  /**
   * Rules of the canonical form that differ from the default: the name of a rule switches it on,
   * `no-` before it off. The rules are escapes, forbiddenCharacters, trailingDot, trailingSlash,
   * emptyQuery and trackingParameters, on by default, and sessionIds, indexPages, parameterOrder
   * and www, off because they lose pages of some sites (docs/urls.md).
   * @default []
   */
  canonical?: readonly CanonicalChange[] | undefined;
  /**
   * Names of further query parameters that choose no content; `*` at the end is any rest.
   * @default []
   */
  dropParameters?: readonly string[] | undefined;

  // Traps

  /**
   * Hold back what looks like a crawl trap: it is listed, and can be requeued (docs/traps.md).
   * @default true
   */
  traps?: boolean | undefined;
  /**
   * Pages of a host with the same text, digits and dates aside, whose links are followed; those of
   * further ones are held back.
   * @default 1000: a site whose pages differ in a number alone is fetched whole up to there, and an
   * endless one ends after a few thousand requests, all of them after everything else
   */
  trapBudget?: number | undefined;

  // Politeness

  /**
   * From the end of one response of a host to the next request to it, at least.
   * @default 1000: less than one request a second is what a small site bears unnoticed
   */
  delayMs?: Duration | undefined;
  /**
   * The same pause as a multiple of the host's last fetch time, so that a host which slows down is
   * asked less often; 0 switches it off.
   * @default 1, which keeps a host busy with this crawl at most half of the time; 0 where delayMs
   * is given as 0, because whoever asks for no delay means none
   */
  delayFactor?: number | undefined;
  /**
   * Ceiling for a Crawl-delay in robots.txt and for what delayFactor makes; never for delayMs.
   * @default 60000
   */
  maxDelayMs?: Duration | undefined;
  /**
   * Obey robots.txt, meta robots, X-Robots-Tag and nofollow (RFC 9309), or ignore them: for one's
   * own sites only.
   * @default 'obey'
   */
  robots?: 'obey' | 'ignore' | undefined;
  /**
   * What the crawler calls itself; should name a contact. The product token at its start chooses
   * the robots.txt group.
   * @default `orbweaver/<version> (operator gave no contact)`
   */
  userAgent?: string | undefined;

  // Effort

  /**
   * Hosts fetched at once.
   * @default 500
   */
  concurrency?: number | undefined;
  /**
   * How long a host may be out of reach before its URLs become dead letters.
   * @default '15m': a reboot or deployment fits in, and a command-line crawl still ends the same hour
   */
  hostPatience?: Duration | undefined;
  /**
   * Further tries of a URL after a retryable failure.
   * @default 2
   */
  retries?: number | undefined;
  /**
   * What one turn takes of a host whose delay is under a second: pages and time at most.
   * @default { maxPages: 20, maxMs: 10000, maxPerSecond: 50 }
   */
  turn?: TurnOptions | undefined;

  // Limits of one request

  /**
   * Decoded body bytes of one response at most; longer ones are skipped as tooLarge.
   * @default '10MiB'
   */
  maxBytes?: Size | undefined;
  /**
   * DNS, TCP and TLS together, at most.
   * @default '10s'
   */
  connectTimeout?: Duration | undefined;
  /**
   * From the request to the last response header, at most.
   * @default '30s'
   */
  headersTimeout?: Duration | undefined;
  /**
   * Silence within a body at most.
   * @default '30s'
   */
  bodyTimeout?: Duration | undefined;
  /**
   * One request from its first to its last byte, at most: the bound that a slow trickle can't pass.
   * @default '2m'
   */
  totalTimeout?: Duration | undefined;
  /**
   * Keep cookies per host, as a browser does; some sites set one and redirect to the same URL.
   * @default true
   */
  cookies?: boolean | undefined;
  /**
   * Let requests reach loopback, private, link-local and metadata addresses.
   * @default false, because a page of a stranger decides where its links point
   */
  allowPrivate?: boolean | undefined;
  /**
   * Connect to given addresses instead of those in DNS: text `PATTERN=IP[:PORT]` or an object.
   * @default []
   */
  mapHosts?: readonly (string | HostMapping)[] | undefined;

  // What is kept

  /**
   * How seen URLs are remembered: a Bloom filter, which is small and skips a few new URLs, or an
   * exact set, which skips none and needs some 15 times the memory.
   * @default 'bloom'
   */
  dedupe?: 'bloom' | 'exact' | undefined;
  /**
   * Chance that the Bloom filter takes a new URL for a seen one.
   * @default 0.000001, at which 10 million URLs lose about 10 for 3.8 bytes each
   */
  bloomErrorRate?: number | undefined;
  /**
   * URLs that the Bloom filter is reserved for; past it the filter grows, at up to three times the
   * memory a URL.
   * @default 10 × maxPages, but at least 10,000 and at most 100 million; without maxPages 1,000,000
   */
  expectedUrls?: number | undefined;
  /**
   * Folder of the output; a crawl writes to `<out>/<crawlId>/`. A relative one starts where the
   * process that fetches was started.
   * @default 'out'
   */
  out?: string | undefined;
  /**
   * How long the frontier of a finished crawl is kept, for status and requeueing.
   * @default '7d'
   */
  keep?: Duration | undefined;
}

/** See `CrawlOptions.turn`. */
export interface TurnOptions {
  /** @default 20 */
  maxPages?: number | undefined;
  /** @default 10000 */
  maxMs?: Duration | undefined;
  /**
   * Turns a second of all hosts together at most. With more active hosts than their delay allows
   * one turn a page for, turns take several pages, never breaking a delay. An embedded Temporal on
   * two cores does 60 to 80 (ADR 0001).
   * @default 50
   */
  maxPerSecond?: number | undefined;
}

/** What may be changed on resume or while a crawl runs; only what is given changes. */
export type CrawlAdjustments = Pick<
  CrawlOptions,
  | 'maxPages'
  | 'maxDepth'
  | 'maxDuration'
  | 'perHostLimit'
  | 'concurrency'
  | 'delayMs'
  | 'delayFactor'
  | 'maxDelayMs'
  | 'hostPatience'
  | 'retries'
  | 'traps'
  | 'trapBudget'
>;
