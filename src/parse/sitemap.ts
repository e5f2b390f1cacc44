/**
 * Sitemaps: urlset, sitemapindex, plain text, RSS and Atom, each also as gzip. Streaming, bounded in
 * decoded bytes and entries, tolerant: what can be read is used, what can't is reported. Entities are
 * never expanded and nothing is ever requested.
 *
 * @see https://www.sitemaps.org/protocol.html
 */

import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { createDecoder, detectXmlCharset } from './charset.js';
import { collectSitemap, SITEMAP_ATTRIBUTES, type SitemapCollector } from './sitemap-collector.js';
import { TagStream } from './tag-stream.js';

/** Decoded bytes of one file at most: the 50 MB of the protocol. */
export const MAX_SITEMAP_BYTES = 52_428_800;
const CHUNK_BYTES = 64 * 1024;
/** Lines of a text file that are longer are no URLs. */
const MAX_LINE_CHARS = 65_536;

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
  readonly urls: SitemapEntry[];
  /** Child sitemaps; whether they are fetched is a question of scope and depth. */
  readonly sitemaps: string[];
  /** What was wrong; urls and sitemaps hold what could be used. */
  readonly errors: string[];
}

/** Where a sitemap came from. */
export interface SitemapInput {
  readonly url: string;
  /** Content-Type header; null without one. Only its charset is used: the bytes tell the format. */
  readonly contentType: string | null;
}

/** Parse a sitemap. Total: whatever the bytes, it resolves to a document. */
export async function parseSitemap(body: Buffer, input: SitemapInput): Promise<SitemapDocument> {
  const collector = collectSitemap(input.url);
  const reader = createReader(collector, input.contentType);
  let bytes = 0;
  try {
    for await (const chunk of chunksOf(body)) {
      const rest = MAX_SITEMAP_BYTES - bytes;
      reader.write(chunk.length > rest ? chunk.subarray(0, rest) : chunk);
      bytes += chunk.length;
      if (bytes > MAX_SITEMAP_BYTES) {
        collector.errors.push(`more than ${MAX_SITEMAP_BYTES} bytes: the rest is left out`);
        break;
      }
      if (collector.isDone()) break;
      await nextTurn();
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    collector.errors.push(`damaged gzip data (${why}): read up to there`);
  }
  reader.end();
  return { urls: collector.urls(), sitemaps: collector.sitemaps(), errors: collector.errors };
}

/** The decoded body in pieces; gzip is known by its first bytes, for names and types often lie. */
async function* chunksOf(body: Buffer): AsyncGenerator<Buffer> {
  if (body[0] === 0x1f && body[1] === 0x8b) {
    // The source is destroyed with the iteration, so that a bomb stops inflating at the bound.
    const gunzip = Readable.from(slices(body)).pipe(createGunzip({ chunkSize: CHUNK_BYTES }));
    yield* gunzip as AsyncIterable<Buffer>;
  } else {
    yield* slices(body);
  }
}

function* slices(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    yield body.subarray(at, at + CHUNK_BYTES);
  }
}

interface Reader {
  write(chunk: Buffer): void;
  end(): void;
}

/** Chooses encoding and format by the first chunk. */
function createReader(collector: SitemapCollector, contentType: string | null): Reader {
  let decode: ((chunk: Buffer, isLast: boolean) => string) | null = null;
  let format: TextReader | null = null;
  const feed = (text: string) => {
    // White space before the first character is no part of either format.
    const start = format === null ? text.trimStart() : text;
    if (start === '') return;
    format ??= start.startsWith('<') ? xmlReader(collector) : lineReader(collector);
    format.write(start);
  };
  return {
    write(chunk) {
      if (decode === null) {
        const decoder = createDecoder(detectXmlCharset(chunk, contentType));
        decode = (part, isLast) => decoder.decode(part, isLast);
      }
      feed(decode(chunk, false));
    },
    end() {
      if (decode !== null) feed(decode(Buffer.alloc(0), true));
      if (format === null) collector.errors.push('empty file');
      format?.end();
    },
  };
}

interface TextReader {
  write(text: string): void;
  end(): void;
}

function xmlReader(collector: SitemapCollector): TextReader {
  const stream = new TagStream({
    xml: true,
    attributes: SITEMAP_ATTRIBUTES,
    ...collector.handlers,
  });
  return {
    write: (text) => stream.write(text),
    end() {
      stream.end();
      collector.finish();
    },
  };
}

/** One URL a line; other lines are skipped. */
function lineReader(collector: SitemapCollector): TextReader {
  let pending = '';
  let count = 0;
  const take = (line: string) => {
    if (!collector.isDone() && collector.add(line)) count++;
  };
  return {
    write(text) {
      const lines = (pending + text).split(/[\r\n]/);
      pending = lines.pop() ?? '';
      // An endless line is dropped as it grows.
      if (pending.length > MAX_LINE_CHARS) pending = '';
      lines.forEach(take);
    },
    end() {
      take(pending);
      if (count === 0) collector.errors.push('no sitemap: neither XML nor a list of URLs');
    },
  };
}
