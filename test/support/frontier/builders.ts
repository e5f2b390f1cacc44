/** Crawls, URLs and claims for tests of the frontier: everything not named has an ordinary value. */
import { createHash, randomUUID } from 'node:crypto';
import type { Claim } from '../../../src/contracts/frontier.js';
import type { CrawlSettings } from '../../../src/contracts/settings.js';
import { DEFAULT_CANONICAL } from '../../../src/url/canonical-settings.js';
import type { DiscoveredUrl } from '../../../src/contracts/urls.js';

/** Settings without limits; exact dedupe unless asked otherwise. */
export function crawlSettings(changes: Partial<CrawlSettings> = {}): CrawlSettings {
  return {
    maxPages: null,
    maxDepth: null,
    maxDurationMs: null,
    perHostLimit: null,
    concurrency: 500,
    delayMs: 1000,
    delayFactor: 0,
    maxDelayMs: 60_000,
    hostPatienceMs: 900_000,
    retries: 2,
    traps: true,
    trapBudget: 1000,
    scope: 'any',
    include: [],
    exclude: [],
    priorities: [],
    maxHostsPerDomain: 1000,
    robots: 'obey',
    sitemaps: true,
    feeds: true,
    embeds: false,
    forms: false,
    textLinks: false,
    canonical: DEFAULT_CANONICAL,
    userAgent: 'orbweaver-test',
    robotsAgent: 'orbweaver-test',
    maxBytes: 1_000_000,
    connectTimeoutMs: 5000,
    headersTimeoutMs: 5000,
    bodyTimeoutMs: 5000,
    totalTimeoutMs: 30_000,
    dedupe: 'exact',
    bloomErrorRate: 1e-6,
    bloomCapacity: 10_000,
    allowPrivate: true,
    mapHosts: [],
    cookies: false,
    turn: { maxPages: 20, maxMs: 10_000, maxPerSecond: 50 },
    out: 'out',
    keepMs: 60_000,
    ...changes,
  };
}

/** An id that no other test uses. */
export const newCrawlId = (name = 'crawl'): string => `${name}-${randomUUID()}`;

/** The URL `https://<host>/<path>` as somebody discovers it. */
export function discovered(
  hostKey: string,
  path: string,
  changes: Partial<DiscoveredUrl> = {},
): DiscoveredUrl {
  const url = changes.url ?? `https://${hostKey}/${path}`;
  return {
    url,
    kind: 'page',
    depth: 1,
    hops: 'L',
    via: `https://${hostKey}/`,
    attempts: 0,
    fingerprint: createHash('sha256').update(url).digest('base64url').slice(0, 22),
    hostKey,
    registeredDomain: hostKey.split('.').slice(-2).join('.'),
    level: 10,
    ...changes,
  };
}

/** `count` URLs of one host. */
export function discoveredMany(hostKey: string, count: number, prefix = 'p'): DiscoveredUrl[] {
  return Array.from({ length: count }, (_unused, n) => discovered(hostKey, `${prefix}${n}`));
}

/** Owner of a run chain that started `startMs` after an epoch of the tests. */
export const owner = (startMs: number, name = 'run'): string =>
  `${String(1_700_000_000_000 + startMs)}:${name}`;

/** A claim of the first run chain's first turn, unless told otherwise. */
export function claimOf(hostKey: string, changes: Partial<Claim> = {}): Claim {
  return { hostKey, owner: owner(0), turn: 1, attempt: 1, ...changes };
}
