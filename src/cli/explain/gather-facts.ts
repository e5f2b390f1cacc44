/** All that is known of one URL in one crawl: from its record, its frontier and its output. */
import { sitemapPrintOf } from '../../activities/sitemap-trust.js';
import type { CrawlStatus } from '../../contracts/frontier.js';
import type { SinkRecord, Suspicion, UrlKind } from '../../contracts/urls.js';
import { readHostFacts, type HostFacts } from '../../frontier/explain-host.js';
import { findPlaces, type Place } from '../../frontier/explain-place.js';
import {
  readDomainHosts,
  readSeen,
  readTrapped,
  type TrappedUrl,
} from '../../frontier/explain-seen.js';
import { RobotsStore } from '../../frontier/robots-store.js';
import { readScopeRoots } from '../../frontier/scope-roots.js';
import type { Redis } from '../../redis/connection.js';
import { canonicalUrl, fingerprint } from '../../url/canonical-url.js';
import { suspectUrl } from '../../traps/suspect-url.js';
import { hostKey, registeredDomain } from '../../url/host-key.js';
import { requireUrl } from '../../url/parse-url.js';
import { compileScope, type ScopeDecision } from '../../url/scope.js';
import { traceOutput } from './output-trace.js';
import { robotsFact, type RobotsFact } from './robots-fact.js';

/** A URL as one kind of thing: the same address may be fetched as a page and read as a sitemap. */
export interface Trace {
  readonly kind: UrlKind;
  readonly fingerprint: string;
  /** The seen filter has it. */
  readonly isSeen: boolean;
  readonly place: Place | null;
  readonly trapped: TrappedUrl | null;
  /** Its last record in the output. */
  readonly record: SinkRecord | null;
}

/** Where the output was looked for. */
export type OutputPlace =
  | { readonly dir: string; readonly why: null }
  /** It isn't here; `why` says so. */
  | { readonly dir: null; readonly why: string };

/** What `explain` goes by. */
export interface UrlFacts {
  readonly status: CrawlStatus;
  /** As it would be requested. */
  readonly url: string;
  readonly canonical: string;
  readonly hostKey: string;
  readonly registeredDomain: string;
  readonly isSeed: boolean;
  readonly scope: ScopeDecision;
  readonly robots: RobotsFact;
  /** Null for a host that the crawl has not met. */
  readonly host: HostFacts | null;
  /** Hosts of its registered domain that the crawl has met. */
  readonly domainHosts: number;
  readonly page: Trace;
  readonly sitemap: Trace;
  /** What its shape looks like, where that is a trap, as a link of the page that led to it. */
  readonly suspicion: Suspicion | null;
  readonly redirectedFrom: readonly string[];
  readonly output: OutputPlace;
  /** What was longer than a look goes: `queue`, `retries`, `deadLetters`, `output`. */
  readonly cutShort: readonly string[];
}

/** Bounds, for tests. */
export interface GatherLimits {
  readonly maxScanned?: number;
  readonly maxOutputBytes?: number;
}

/**
 * Look a URL up. Nothing is changed.
 *
 * @param input URL as people paste it
 * @throws URL_INVALID, URL_UNSUPPORTED_SCHEME, OUTPUT_READ, FRONTIER_UNAVAILABLE
 */
export async function gatherFacts(
  redis: Redis,
  status: CrawlStatus,
  input: string,
  output: OutputPlace,
  limits: GatherLimits = {},
): Promise<UrlFacts> {
  const { crawlId, settings } = status;
  const url = requireUrl(input.trim(), 'url');
  const canonical = canonicalUrl(url, settings.canonical);
  const roots = await readScopeRoots(redis, crawlId);
  const print = fingerprint(canonical);
  const sitemapPrints = sitemapPrintsOf(url, roots, settings.canonical);
  const prints = [print, ...sitemapPrints];
  const matches = (other: string) => canonicalUrl(other, settings.canonical) === canonical;

  // In the order in which a URL moves, so that one that moves on meanwhile is met further down.
  const held = await readTrapped(redis, crawlId, prints);
  const found = await findPlaces(redis, crawlId, {
    hostKeys: hostKeysOf(url, canonical, settings.canonical.www),
    matches,
    ...(limits.maxScanned !== undefined && { maxScanned: limits.maxScanned }),
  });
  const trace =
    output.dir === null
      ? { records: {}, redirectedFrom: [], isCutShort: false }
      : await traceOutput(output.dir, {
          fingerprint: print,
          matches,
          ...(limits.maxOutputBytes !== undefined && { maxBytes: limits.maxOutputBytes }),
        });
  const seen = await readSeen(redis, crawlId, settings.dedupe, prints);
  const traceOf = (kind: UrlKind, from: number, to: number): Trace => {
    const at = Math.max(from, seen.indexOf(true, from));
    return {
      kind,
      fingerprint: prints[at < to ? at : from] ?? '',
      isSeen: seen.slice(from, to).includes(true),
      place: found.places[kind] ?? null,
      trapped: held.slice(from, to).find((each) => each !== null) ?? null,
      record: trace.records[kind] ?? null,
    };
  };
  const page = traceOf('page', 0, 1);
  const key = found.places.page?.hostKey ?? found.places.sitemap?.hostKey ?? hostKey(url);
  const scope = compileScope(roots.length > 0 ? roots : status.seeds, settings);
  const isSeed = status.seeds.some(matches);
  const domain = registeredDomain(url);
  return {
    status,
    url,
    canonical,
    hostKey: key,
    registeredDomain: domain,
    isSeed,
    scope: isSeed ? scope.checkSeed(url) : scope.check(url),
    robots: robotsFact(
      await new RobotsStore(redis, crawlId).read(new URL(url).origin),
      url,
      settings,
    ),
    host: await readHostFacts(redis, crawlId, key),
    domainHosts: await readDomainHosts(redis, crawlId, domain),
    page,
    sitemap: traceOf('sitemap', 1, prints.length),
    suspicion: settings.traps && !isSeed ? suspectUrl(url, foundOn(page)) : null,
    redirectedFrom: trace.redirectedFrom,
    output,
    cutShort: [...found.cutShort, ...(trace.isCutShort ? ['output'] : [])],
  };
}

/** Hosts that may have the URL queued: `www.` of a host may be the same page, its queue is another. */
function hostKeysOf(url: string, canonical: string, isWwwMerged: boolean): string[] {
  const bare = hostKey(canonical);
  return [...new Set([hostKey(url), ...(isWwwMerged ? [bare, `www.${bare}`] : [])])];
}

/** Roots that are tried as those whose robots.txt named a sitemap. */
const MAX_VOUCHERS = 1000;

/** Fingerprints that the URL may have as a sitemap: its own, and one for each seed's domain. */
function sitemapPrintsOf(
  url: string,
  roots: readonly string[],
  rules: CrawlStatus['settings']['canonical'],
): string[] {
  const vias = ['', ...roots.slice(0, MAX_VOUCHERS)];
  return [...new Set(vias.map((via) => sitemapPrintOf({ url, via }, rules)))];
}

/** The page that led to it; empty where nobody knows. */
function foundOn({ place, trapped, record }: Trace): string {
  return place?.item.via ?? trapped?.item.via ?? record?.via ?? '';
}
