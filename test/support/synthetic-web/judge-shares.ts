/** How two crawls of the same hosts share them, as the server sees it. */
import { byHost } from './judge.js';
import type { RequestRecord } from './request-log.js';

/** Requests of two crawls while both were at work. */
export interface Share {
  readonly first: number;
  readonly second: number;
  /** Part of the requests that are the first crawl's; NaN when there were none. */
  readonly firstShare: number;
}

/** Shares of two crawls. */
export interface Shares {
  /** Sum over all hosts. */
  readonly total: Share;
  readonly hosts: ReadonlyMap<string, Share>;
}

/**
 * Share of each of two crawls, told apart by a part of their User-Agent.
 *
 * Counted per host, only while both have work there: from the first request of the later crawl to
 * the last request of the one that is done sooner (both included). A host that only one of them
 * asked, or that one had finished before the other came, does not count.
 *
 * @param byUserAgent a text that each crawl's User-Agent contains, and the other's does not
 */
export function shares(
  log: readonly RequestRecord[],
  byUserAgent: readonly [string, string],
): Shares {
  const hosts = new Map<string, Share>();
  for (const [host, requests] of byHost(log)) {
    const first = requests.filter((request) => request.userAgent.includes(byUserAgent[0]));
    const second = requests.filter((request) => request.userAgent.includes(byUserAgent[1]));
    const ambiguous = first.find((request) => second.includes(request));
    if (ambiguous) {
      const agents = byUserAgent.join('" and "');
      throw new Error(`byUserAgent: "${agents}" both occur in "${ambiguous.userAgent}"`);
    }
    const from = Math.max(first[0]?.startMs ?? Infinity, second[0]?.startMs ?? Infinity);
    const to = Math.min(first.at(-1)?.startMs ?? -Infinity, second.at(-1)?.startMs ?? -Infinity);
    if (from > to) continue;
    const within = (request: RequestRecord): boolean =>
      request.startMs >= from && request.startMs <= to;
    hosts.set(host, share(first.filter(within).length, second.filter(within).length));
  }
  const sum = (side: 'first' | 'second'): number =>
    [...hosts.values()].reduce((total, one) => total + one[side], 0);
  return { total: share(sum('first'), sum('second')), hosts };
}

function share(first: number, second: number): Share {
  return { first, second, firstShare: first / (first + second) };
}
