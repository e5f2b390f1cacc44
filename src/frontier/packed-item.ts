/** Queued URLs as the scripts keep them: one tab-separated string (lua/lib/item.lua). */
import type { DiscoveredUrl, QueuedUrl, UrlKind } from '../contracts/urls.js';

const KIND_LETTERS: Record<UrlKind, string> = { page: 'p', sitemap: 's' };
/** Letters of a hop path that are kept; the newest count. */
const HOPS_KEPT = 32;

/** Pack a URL for its queue. Level 0 to 255. */
export function packItem(item: QueuedUrl & Pick<DiscoveredUrl, 'level'>): string {
  return [
    KIND_LETTERS[item.kind],
    item.depth,
    item.attempts,
    item.hops.slice(-HOPS_KEPT),
    item.level,
    item.via,
    item.url,
  ].join('\t');
}

/** Unpack what a script returned. */
export function unpackItem(packed: string): QueuedUrl & Pick<DiscoveredUrl, 'level'> {
  const [kind, depth, attempts, hops, level, via, url] = packed.split('\t');
  return {
    kind: kind === 's' ? 'sitemap' : 'page',
    depth: Number(depth),
    attempts: Number(attempts),
    hops: hops ?? '',
    level: Number(level),
    via: via ?? '',
    url: url ?? '',
  };
}
