/** From links to what is offered to the frontier: scope and depth first, the seen test comes later. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  DiscoveredUrl,
  HopLetter,
  QueuedUrl,
  SkipReason,
  Suspicion,
  UrlKind,
} from '../contracts/urls.js';
import { laterLevel, suspectUrl } from '../traps/suspect-url.js';
import { priorityLevel } from '../url/priority.js';
import type { CrawlContext } from './crawl-context.js';
import { sitemapPrintOf, sitemapVia } from './sitemap-trust.js';
import { UrlFactsMemo } from './url-facts.js';

/** A URL that was found somewhere. */
export interface FoundUrl {
  readonly url: string;
  readonly hop: HopLetter;
  readonly kind: UrlKind;
  readonly nofollow?: boolean;
}

/** What may be queued, and how many were not admitted, by reason. */
export interface Discovery {
  readonly admitted: DiscoveredUrl[];
  readonly rejected: Partial<Record<SkipReason, number>>;
}

/** Hops from robots.txt to a sitemap at most: an index may name an index for ever. */
const MAX_SITEMAP_HOPS = 10;
const SITEMAP_HOPS: Suspicion = { rule: 'sitemapHops', weight: 'hold' };

/**
 * Depth that a hop costs: only navigation does. A sitemap's pages count as linked from the seed; those
 * of one that was itself met as a page are one further than it.
 */
function depthAfter(parent: Pick<QueuedUrl, 'depth' | 'kind'>, found: FoundUrl): number {
  if (found.hop === 'L' || found.hop === 'S') return parent.depth + 1;
  if (found.hop === 'M' && found.kind === 'page') {
    return parent.kind === 'page' ? parent.depth + 1 : Math.max(1, parent.depth);
  }
  return parent.depth;
}

/** Does a hop path end at what a page embeds, redirects included? */
export function endsAtEmbed(hops: string): boolean {
  return /ER*$/.test(hops);
}

/** Sort out what was found on `parent`. */
export function discover(
  context: CrawlContext,
  parent: Pick<QueuedUrl, 'url' | 'depth' | 'hops' | 'kind'> & { readonly via?: string },
  found: readonly FoundUrl[],
): Discovery {
  const { settings, scope } = context;
  const admitted: DiscoveredUrl[] = [];
  const rejected: Partial<Record<SkipReason, number>> = {};
  const reject = (reason: SkipReason) => {
    rejected[reason] = (rejected[reason] ?? 0) + 1;
  };
  for (const item of found) {
    const depth = depthAfter(parent, item);
    if (item.nofollow && settings.robots === 'obey') {
      reject('nofollow');
    } else if (!scope.check(item.url).inScope) {
      reject('outOfScope');
    } else if (settings.maxDepth !== null && depth > settings.maxDepth) {
      reject('depth');
    } else {
      const { url, kind } = item;
      const hops = parent.hops + item.hop;
      const via = kind === 'sitemap' ? sitemapVia(parent) : parent.url;
      const queued = { url, kind, depth, hops, via, attempts: 0 };
      admitted.push(suspected(queueable(context, queued), suspicionOf(context, parent, item)));
    }
  }
  return { admitted, rejected };
}

/** URLs sorted out without a pause: some milliseconds. */
const BATCH = 500;

/** discover for any number of URLs; in between other work of the process gets its turn. */
export async function discoverMany(
  context: CrawlContext,
  parent: Parameters<typeof discover>[1],
  found: readonly FoundUrl[],
): Promise<Discovery> {
  const all: Discovery = { admitted: [], rejected: {} };
  for (let at = 0; at < found.length; at += BATCH) {
    if (at > 0) await nextTurn();
    const { admitted, rejected } = discover(context, parent, found.slice(at, at + BATCH));
    all.admitted.push(...admitted);
    for (const [reason, count] of Object.entries(rejected) as [SkipReason, number][]) {
      all.rejected[reason] = (all.rejected[reason] ?? 0) + count;
    }
  }
  return all;
}

/** What a link looks like, where that is a trap. What a sitemap lists was not made up on the way. */
function suspicionOf(
  { settings }: CrawlContext,
  parent: Pick<QueuedUrl, 'url' | 'hops'>,
  found: FoundUrl,
): Suspicion | null {
  if (found.kind === 'sitemap' && parent.hops.length >= MAX_SITEMAP_HOPS) return SITEMAP_HOPS;
  if (!settings.traps || found.hop === 'M') return null;
  return suspectUrl(found.url, parent.url);
}

/** A suspicious URL comes after everything that is not. */
function suspected(url: DiscoveredUrl, suspicion: Suspicion | null): DiscoveredUrl {
  return suspicion === null ? url : { ...url, suspicion, level: laterLevel(url.level) };
}

const urlFacts = new UrlFactsMemo();

/** A URL with all that the frontier needs to queue it. */
export function queueable(context: CrawlContext, item: QueuedUrl): DiscoveredUrl {
  const { url, kind, depth, hops } = item;
  const { canonical } = context.settings;
  const facts = urlFacts.of(url, canonical);
  const isSitemap = kind === 'sitemap';
  // Sitemaps take turns with the pages that are as far away: a site that has no end of them must
  // not keep its pages waiting for ever.
  const distance = isSitemap ? depth + hops.length : depth;
  return {
    ...item,
    ...facts,
    ...(isSitemap && { fingerprint: sitemapPrintOf(item, canonical) }),
    level: priorityLevel(distance, url, context.settings.priorities),
  };
}
