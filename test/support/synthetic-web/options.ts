/** What a synthetic web may be asked to contain, and its defaults. */

/** Everything beyond plain pages that link to each other. Each can be switched off. */
export const FEATURES = [
  'linkForms', // relative, protocol-relative, ../, <base>, tracking parameters, :80, upper-case host …
  'redirects', // 301, 302, 307, 308, chains, a loop, across hosts, into a forbidden path
  'trailingSlash', // /docs answers 301 to /docs/
  'cookies', // a page that sets a cookie and redirects to itself
  'missing', // links to 404 and 410
  'flaky', // 503 for the first requests of a URL, then 200 (hosts 1, 5, 9 …)
  'tooMany', // 429 with Retry-After for the first request of a URL, then 200 (hosts 1, 5, 9 …)
  'broken', // 500 for ever (hosts 1, 5, 9 …)
  'disallowed', // paths that robots.txt forbids, linked from pages
  'robotsMissing', // no robots.txt at all (hosts 4, 9, 14 …)
  'robotsRedirect', // robots.txt redirects to another path (hosts 6, 13, 20 …)
  'sitemaps', // pages that only a sitemap names; an index and a gzip'd one on every third host
  'nofollow', // rel=nofollow, meta robots nofollow and noindex, X-Robots-Tag
  'gzip', // a third of the pages compressed
  'files', // pdf, png, css, txt
  'bigPage', // one page of about 1.5 MB (hosts 0, 10, 20 …)
  'phantoms', // text that looks like links but is none: comments, scripts
] as const;

export type Feature = (typeof FEATURES)[number];

/** Inclusive range of milliseconds. */
export interface MsRange {
  readonly min: number;
  readonly max: number;
}

/** Options of a synthetic web. */
export interface SyntheticWebOptions {
  /** Virtual hosts, `site-000.<domain>` and on. @default 8 */
  readonly hosts?: number;
  /** Ordinary pages a host, features not counted. @default 20 */
  readonly pagesPerHost?: number;
  /** Equal seeds give equal webs. @default 1 */
  readonly seed?: number;
  /** What all host names end in; `--map-hosts '*.<domain>=…'` reaches them. @default 'test' */
  readonly domain?: string;
  /** Delay before an answer, chosen per URL from this range. @default {min: 0, max: 0} */
  readonly latencyMs?: MsRange;
  /** 'all', 'none', or switches on top of all. @default 'all' */
  readonly features?: 'all' | 'none' | Partial<Record<Feature, boolean>>;
  /** Crawl-delay in seconds that hosts 2, 6, 10 … ask for; 0 for none. @default 0 */
  readonly crawlDelayS?: number;
  /** How often a flaky URL answers 503 before it answers 200. @default 2 */
  readonly flakyAnswers?: number;
  /** Retry-After in seconds on flaky 503; 0 leaves the header out. @default 1 */
  readonly flakyRetryAfterS?: number;
  /** Retry-After in seconds on 429. @default 1 */
  readonly tooManyRetryAfterS?: number;
  /**
   * Product token of the crawler under test. When set, hosts 3, 7, 11 … have a robots group for it
   * and forbid everything to everyone else, so that only the right choice of group gets their pages.
   */
  readonly agentToken?: string;
  /** Port on 127.0.0.1; 0 takes a free one. @default 0 */
  readonly port?: number;
  /** Port of the control server; 0 takes a free one. @default 0 */
  readonly controlPort?: number;
}

/** Options with every default filled in. */
export interface ResolvedWebOptions extends Required<
  Omit<SyntheticWebOptions, 'features' | 'agentToken'>
> {
  readonly features: Readonly<Record<Feature, boolean>>;
  readonly agentToken: string | null;
}

/**
 * Fill in defaults and refuse nonsense.
 *
 * @throws Error naming field, value and what is allowed
 */
export function resolveWebOptions(options: SyntheticWebOptions = {}): ResolvedWebOptions {
  const whole = (field: string, value: number, min: number, max: number): number => {
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new Error(`${field}: ${value} is not a whole number from ${min} to ${max}`);
  };
  const latencyMs = options.latencyMs ?? { min: 0, max: 0 };
  if (!(latencyMs.min >= 0 && latencyMs.max >= latencyMs.min)) {
    const given = `${latencyMs.min}-${latencyMs.max}`;
    throw new Error(`latencyMs: ${given} is not a range; give 0 <= min <= max`);
  }
  const domain = options.domain ?? 'test';
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain)) {
    throw new Error(`domain: "${domain}" is not a lower-case host name such as "test"`);
  }
  return {
    hosts: whole('hosts', options.hosts ?? 8, 1, 5_000),
    pagesPerHost: whole('pagesPerHost', options.pagesPerHost ?? 20, 1, 100_000),
    seed: whole('seed', options.seed ?? 1, 0, Number.MAX_SAFE_INTEGER),
    domain,
    latencyMs,
    features: resolveFeatures(options.features ?? 'all'),
    crawlDelayS: whole('crawlDelayS', options.crawlDelayS ?? 0, 0, 3_600),
    flakyAnswers: whole('flakyAnswers', options.flakyAnswers ?? 2, 0, 1_000),
    flakyRetryAfterS: whole('flakyRetryAfterS', options.flakyRetryAfterS ?? 1, 0, 86_400),
    tooManyRetryAfterS: whole('tooManyRetryAfterS', options.tooManyRetryAfterS ?? 1, 0, 86_400),
    agentToken: options.agentToken ?? null,
    port: whole('port', options.port ?? 0, 0, 65_535),
    controlPort: whole('controlPort', options.controlPort ?? 0, 0, 65_535),
  };
}

function resolveFeatures(
  given: NonNullable<SyntheticWebOptions['features']>,
): Record<Feature, boolean> {
  const switches = typeof given === 'string' ? {} : given;
  for (const name of Object.keys(switches)) {
    if (!FEATURES.includes(name as Feature)) {
      throw new Error(`features: unknown "${name}"; known are ${FEATURES.join(', ')}`);
    }
  }
  const all = Object.fromEntries(FEATURES.map((name) => [name, given !== 'none']));
  return { ...(all as Record<Feature, boolean>), ...switches };
}
