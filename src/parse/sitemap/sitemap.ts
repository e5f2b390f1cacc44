/**
 * Sitemaps and feeds: urlset, sitemapindex, plain text, RSS 0.9x to 2.0, RSS 1.0 (RDF) and Atom, each
 * also as gzip. Streaming, bounded in decoded bytes and entries, tolerant: what can be read is used,
 * what can't is reported. Entities are never expanded and nothing is ever requested.
 *
 * @see https://www.sitemaps.org/protocol.html
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SitemapFormat } from './sitemap-format.js';
import { gunzip, isGzip } from './sitemap-gunzip.js';
import { createSitemapReader } from './sitemap-reader.js';

export type { SitemapFormat } from './sitemap-format.js';

/** Decoded bytes of one file at most: the 50 MB of the protocol. */
export const MAX_SITEMAP_BYTES = 52_428_800;
const CHUNK_BYTES = 64 * 1024;
/** Gzip in gzip: a server that compresses what is compressed. */
const MAX_GZIP_LAYERS = 2;

/** One page of a sitemap. */
export interface SitemapEntry {
  /** Absolute http(s) URL without fragment. */
  readonly loc: string;
  /** ISO 8601, UTC. */
  readonly lastmod?: string;
  /** 0 to 1. */
  readonly priority?: number;
  readonly changefreq?: string;
}

/** What a sitemap lists, each URL once, in order. */
export interface SitemapDocument {
  /** Null for what is neither sitemap nor feed. */
  readonly format: SitemapFormat | null;
  readonly urls: SitemapEntry[];
  /** Child sitemaps; whether they are fetched is a question of scope and depth. */
  readonly sitemaps: string[];
  /** What was wrong, once a kind; urls and sitemaps hold what could be used. */
  readonly errors: string[];
}

/** Where a sitemap came from. */
export interface SitemapInput {
  readonly url: string;
  /** Content-Type header; null without one. Only its charset is used: the bytes tell the format. */
  readonly contentType: string | null;
}

/** Parse a sitemap or feed. Total: whatever the bytes, it resolves to a document. */
export async function parseSitemap(body: Buffer, input: SitemapInput): Promise<SitemapDocument> {
  const reader = createSitemapReader(input);
  let bytes = 0;
  for await (const chunk of plainChunks(body, (message) => reader.note(message), MAX_GZIP_LAYERS)) {
    const rest = MAX_SITEMAP_BYTES - bytes;
    reader.write(chunk.length > rest ? chunk.subarray(0, rest) : chunk);
    bytes += chunk.length;
    if (bytes > MAX_SITEMAP_BYTES) {
      reader.note(`more than ${MAX_SITEMAP_BYTES} bytes: the rest is left out`);
      break;
    }
    if (reader.isDone()) break;
    await nextTurn();
  }
  return reader.end();
}

/** The body in pieces, gzip removed. Leaving the loop stops the inflating: a bomb ends at the bound. */
async function* plainChunks(
  body: Buffer,
  onFault: (message: string) => void,
  layers: number,
): AsyncGenerator<Buffer> {
  if (!isGzip(body) || layers === 0) {
    for (let at = 0; at < body.length; at += CHUNK_BYTES) yield body.subarray(at, at + CHUNK_BYTES);
    return;
  }
  let inner: Buffer[] | null = null;
  let isFirst = true;
  let innerBytes = 0;
  for await (const piece of gunzip(body, onFault)) {
    if (isFirst && isGzip(piece)) inner = [];
    isFirst = false;
    if (inner === null) {
      yield piece;
      continue;
    }
    inner.push(piece);
    innerBytes += piece.length;
    if (innerBytes > MAX_SITEMAP_BYTES) break;
  }
  if (inner !== null) yield* plainChunks(Buffer.concat(inner), onFault, layers - 1);
}
