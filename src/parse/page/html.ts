/**
 * Links and directives of an HTML page. Streaming and bounded in bytes, links and time; between chunks
 * the event loop gets its turn, so that no page, however large, holds up the worker.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Link } from '../../contracts/urls.js';
import { detectCharset } from '../charset/detect-charset.js';
import { createDecoder } from '../charset/encodings.js';
import { isXmlType } from '../content-kind.js';
import { headerLinks } from '../links/header-links.js';
import type { LinkOptions } from './html-collector.js';
import { mergeDirectives, parseXRobotsTag } from './meta-robots.js';
import { PageReader } from './page-reader.js';
import { PageText } from './page-text.js';
import { baseOf, resolveLinks } from '../links/resolve-links.js';

/**
 * Distinct links of a page that are taken. What has more is a trap far more often than an index, and
 * each link costs memory in the frontier.
 */
export const MAX_LINKS = 200_000;
/** Bytes of a body that are parsed. */
export const MAX_HTML_BYTES = 64 * 1024 * 1024;
/** Time after which parsing of a page ends, in milliseconds; a 50 MB page takes about two seconds. */
export const MAX_PARSE_MS = 20_000;
/** Bytes parsed without a pause: a few milliseconds. */
const CHUNK_BYTES = 64 * 1024;

/** What is known of a page besides its body. */
export interface HtmlInput extends LinkOptions {
  /** Where it came from, after redirects: absolute, http or https. */
  readonly url: string;
  /** Content-Type header; null without one. */
  readonly contentType: string | null;
  /** X-Robots-Tag headers, one entry a line. */
  readonly xRobotsTag?: readonly string[] | undefined;
  /** Link headers, one entry a line. */
  readonly linkHeader?: readonly string[] | undefined;
  /** Refresh headers, one entry a line. */
  readonly refreshHeader?: readonly string[] | undefined;
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
  /** Each URL once, in document order, those of headers last; embeds, forms and text by option. */
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
  /** Digest of what the page says: see PageText. */
  readonly textDigest: string;
}

/** Parse a page. Total: whatever the bytes, it resolves to a document. */
export async function parseHtml(body: Buffer, input: HtmlInput): Promise<HtmlDocument> {
  const deadline = performance.now() + (input.maxMs ?? MAX_PARSE_MS);
  const maxLinks = input.maxLinks ?? MAX_LINKS;
  const end = Math.min(body.length, input.maxBytes ?? MAX_HTML_BYTES);
  const charset = detectCharset(body, input.contentType);
  const text = new PageText(input.url);
  const reader = new PageReader({
    ...input,
    maxLinks,
    isXml: isXmlType(input.contentType),
    pageText: text,
  });
  const decoder = createDecoder(charset);
  let isLate = false;
  for (let at = 0; at < end && !isLate; at += CHUNK_BYTES) {
    if (at > 0) await nextTurn();
    const next = Math.min(end, at + CHUNK_BYTES);
    reader.write(decoder.decode(body.subarray(at, next), next === end));
    isLate = next < end && performance.now() > deadline;
  }
  reader.end();

  const { bag, collector, scope } = reader;
  const { links, canonicals, dropped } = await resolveLinks([...bag.all, ...headerLinks(input)], {
    url: input.url,
    charset,
    maxLinks,
  });
  const left = bag.dropped + dropped;
  return {
    links,
    title: collector.title,
    base: baseOf(scope, input.url),
    charset,
    ...mergeDirectives(
      collector.directives,
      parseXRobotsTag(input.xRobotsTag ?? [], input.robotsAgent),
    ),
    canonical: canonicals.size === 1 ? ([...canonicals][0] ?? null) : null,
    truncated: isLate || end < body.length || left > 0,
    dropped: left,
    textDigest: text.digest(),
  };
}
