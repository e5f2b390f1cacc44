/** From links to what is offered to the frontier: scope and depth first, the seen test comes later. */
import type {
  DiscoveredUrl,
  HopLetter,
  QueuedUrl,
  SkipReason,
  UrlKind,
} from '../contracts/urls.js';
import { priorityLevel } from '../url/priority.js';
import type { CrawlContext } from './crawl-context.js';
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

/** Depth that a hop costs: only navigation does. A sitemap's pages count as linked from the seed. */
function depthAfter(parent: Pick<QueuedUrl, 'depth' | 'kind'>, found: FoundUrl): number {
  if (found.hop === 'L' || found.hop === 'S') return parent.depth + 1;
  if (found.hop === 'M' && found.kind === 'page') return Math.max(1, parent.depth);
  return parent.depth;
}

/** Sort out what was found on `parent`. */
export function discover(
  context: CrawlContext,
  parent: Pick<QueuedUrl, 'url' | 'depth' | 'hops' | 'kind'>,
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
      admitted.push(
        queueable(context, {
          url,
          kind,
          depth,
          hops: parent.hops + item.hop,
          via: parent.url,
          attempts: 0,
        }),
      );
    }
  }
  return { admitted, rejected };
}

const urlFacts = new UrlFactsMemo();

/** A URL with all that the frontier needs to queue it. */
export function queueable(context: CrawlContext, item: QueuedUrl): DiscoveredUrl {
  return {
    ...item,
    ...urlFacts.of(item.url),
    level: priorityLevel(item.depth, item.url, context.settings.priorities),
  };
}
