/** From links as written to URLs, each once. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Link } from '../../contracts/urls.js';
import { EMBED_KINDS, type LinkScope, type RawLink } from './link-bag.js';
import { resolveBase, resolveLink } from './resolve-link.js';

/** Links resolved without a pause. */
const BATCH = 1_000;

/** What the links of a page come to. */
export interface ResolvedLinks {
  readonly links: Link[];
  /** Canonical URLs that the page names. */
  readonly canonicals: ReadonlySet<string>;
  /** URLs past maxLinks. */
  readonly dropped: number;
}

/** Where links start from. */
export interface LinkOrigin {
  /** URL of the response. */
  readonly url: string;
  /** Encoding of the page: of the queries of its links. */
  readonly charset: string;
  readonly maxLinks: number;
}

/**
 * Resolve links in order. Of a URL found twice the first place counts, and the way in which it may be
 * followed: a link without nofollow before one with it, navigation before an embed.
 */
export async function resolveLinks(
  raws: Iterable<RawLink>,
  origin: LinkOrigin,
): Promise<ResolvedLinks> {
  const links = new Map<string, Link>();
  const canonicals = new Set<string>();
  const bases = new Map<LinkScope, string>();
  let dropped = 0;
  let count = 0;
  for (const raw of raws) {
    if (++count % BATCH === 0) await nextTurn();
    const base = raw.scope === null ? origin.url : baseOf(raw.scope, origin.url, bases);
    // A header is no text of the page, and the encoding of a style sheet's URLs is always UTF-8.
    const isUtf8 = raw.scope === null || raw.kind === 'css';
    const url = resolveLink(raw.href, base, isUtf8 ? 'utf-8' : origin.charset);
    if (url === null) continue;
    if (raw.isCanonical) canonicals.add(url);
    const known = links.get(url);
    const { kind, nofollow } = raw;
    if (known) links.set(url, preferred(known, { url, kind, nofollow }));
    else if (links.size < origin.maxLinks) links.set(url, { url, kind, nofollow });
    else dropped++;
  }
  return { links: [...links.values()], canonicals, dropped };
}

/** Base URL of a document: its own, from that of the document that it stands in. */
export function baseOf(
  scope: LinkScope,
  url: string,
  known = new Map<LinkScope, string>(),
): string {
  const cached = known.get(scope);
  if (cached !== undefined) return cached;
  const from = scope.parent === null ? url : baseOf(scope.parent, url, known);
  const base = scope.base === null ? from : resolveBase(scope.base, from);
  known.set(scope, base);
  return base;
}

function preferred(a: Link, b: Link): Link {
  if (a.nofollow !== b.nofollow) return a.nofollow ? b : a;
  return EMBED_KINDS.has(a.kind) && !EMBED_KINDS.has(b.kind) ? b : a;
}
