/**
 * Links and directives of an HTML page. Streaming and bounded in bytes, links and time; between chunks
 * the event loop gets its turn, so that no page, however large, holds up the worker.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Link } from '../contracts/urls.js';
import { createDecoder, detectCharset } from './charset.js';
import { collectHtml, HTML_ATTRIBUTES, NAVIGATION_REL, type RawLink } from './html-collector.js';
import { parseLinkHeader } from './link-header.js';
import { mergeDirectives, parseXRobotsTag } from './meta-robots.js';
import { resolveLink } from './resolve-link.js';
import { TagStream } from './tag-stream.js';

/**
 * Distinct links of a page that are taken: as many as a sitemap file may list. What has more is a
 * trap far more often than an index, and each link costs memory in the frontier.
 */
export const MAX_LINKS = 50_000;
/** Bytes of a body that are parsed. */
export const MAX_HTML_BYTES = 64 * 1024 * 1024;
/** Time after which parsing of a page ends, in milliseconds; a 50 MB page takes about two seconds. */
export const MAX_PARSE_MS = 20_000;
/** Bytes parsed without a pause: a few milliseconds. */
const CHUNK_BYTES = 64 * 1024;
/** Links resolved without a pause. */
const RESOLVE_BATCH = 1_000;

/** What is known of a page besides its body. */
export interface HtmlInput {
  /** Where it came from, after redirects: absolute, http or https. */
  readonly url: string;
  /** Content-Type header; null without one. */
  readonly contentType: string | null;
  /** X-Robots-Tag headers, one entry a line. */
  readonly xRobotsTag?: readonly string[] | undefined;
  /** Link headers, one entry a line. */
  readonly linkHeader?: readonly string[] | undefined;
  /** Product token that directives may name. */
  readonly robotsAgent: string;
  /** Default MAX_LINKS. */
  readonly maxLinks?: number | undefined;
  /** Default MAX_PARSE_MS. */
  readonly maxMs?: number | undefined;
  /** Default MAX_HTML_BYTES. */
  readonly maxBytes?: number | undefined;
}

/** What a page says. */
export interface HtmlDocument {
  /** Each URL once, in document order, those of Link headers last. Embeds are not extracted. */
  readonly links: Link[];
  /** White space collapsed, 1,000 characters at most; null without one. */
  readonly title: string | null;
  /** URL against which the links were resolved. */
  readonly base: string;
  /** Encoding that the body was read in. */
  readonly charset: string;
  /** By meta robots or X-Robots-Tag. */
  readonly noindex: boolean;
  /** By meta robots or X-Robots-Tag: of the page, on top of the links' own. */
  readonly nofollow: boolean;
  /** Canonical URL that the page names; null without one or when it names two. */
  readonly canonical: string | null;
  /** A bound was reached: there may be more links. */
  readonly truncated: boolean;
  /** Links past maxLinks that were left out, repetitions counted. */
  readonly dropped: number;
}

/** Parse a page. Total: whatever the bytes, it resolves to a document. */
export async function parseHtml(body: Buffer, input: HtmlInput): Promise<HtmlDocument> {
  const deadline = performance.now() + (input.maxMs ?? MAX_PARSE_MS);
  const maxLinks = input.maxLinks ?? MAX_LINKS;
  const end = Math.min(body.length, input.maxBytes ?? MAX_HTML_BYTES);
  const charset = detectCharset(body, input.contentType);
  const found = collectHtml(input.robotsAgent, maxLinks);
  const stream = new TagStream({ attributes: HTML_ATTRIBUTES, ...found.handlers });
  const decoder = createDecoder(charset);
  let isLate = false;
  for (let at = 0; at < end && !isLate; at += CHUNK_BYTES) {
    if (at > 0) await nextTurn();
    const next = Math.min(end, at + CHUNK_BYTES);
    stream.write(decoder.decode(body.subarray(at, next), next === end));
    isLate = performance.now() > deadline;
  }
  stream.end();

  const base = resolveBase(found.base(), input.url);
  const header = headerLinks(input.linkHeader ?? []);
  const resolved = new Map<string, Link>();
  const canonicals = new Set<string>();
  const raws = [...found.links.values(), ...header];
  for (const [index, raw] of raws.entries()) {
    if (index > 0 && index % RESOLVE_BATCH === 0) await nextTurn();
    // A Link header is relative to the response, a link in the page to the page's base.
    const origin = raw.kind === 'header' ? input.url : base;
    const url = resolveLink(raw.href, origin, raw.kind === 'header' ? 'utf-8' : charset);
    if (url === null) continue;
    if (raw.isCanonical) canonicals.add(url);
    const known = resolved.get(url);
    if (!known) {
      if (resolved.size >= maxLinks) continue;
      resolved.set(url, { url, kind: raw.kind, nofollow: raw.nofollow });
    } else if (known.nofollow && !raw.nofollow) {
      resolved.set(url, { ...known, nofollow: false });
    }
  }
  return {
    links: [...resolved.values()],
    title: found.title(),
    base,
    charset,
    ...mergeDirectives(
      found.directives(),
      parseXRobotsTag(input.xRobotsTag ?? [], input.robotsAgent),
    ),
    canonical: canonicals.size === 1 ? ([...canonicals][0] ?? null) : null,
    truncated: isLate || end < body.length || found.dropped() > 0,
    dropped: found.dropped(),
  };
}

/** A base that is no http(s) URL counts as none, so that no `data:` base can swallow the links. */
function resolveBase(href: string | null, url: string): string {
  if (href === null) return url;
  return resolveLink(href, url, 'utf-8') ?? url;
}

function headerLinks(values: readonly string[]): RawLink[] {
  return parseLinkHeader(values)
    .filter(({ rel }) => rel.some((name) => NAVIGATION_REL.has(name)))
    .map(({ target, rel }) => ({
      href: target,
      kind: 'header',
      nofollow: rel.includes('nofollow'),
      isCanonical: rel.includes('canonical'),
    }));
}
