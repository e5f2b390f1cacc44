/** Reads a sitemap or feed, piece by piece: the result does not depend on where it is cut. */

import { SITEMAP_HEAD_BYTES, sitemapDecoder } from './sitemap-charset.js';
import { collectSitemap } from './sitemap-collector.js';
import type { SitemapFormat } from './sitemap-format.js';
import { createSitemapLists, type SitemapLists } from './sitemap-lists.js';
import { createSitemapTokens } from './sitemap-tokens.js';
import type { SitemapDocument, SitemapInput } from './sitemap.js';

/** Characters that the format is told by. */
const HEAD_CHARS = 1024;
/** Lines of a text file that are longer are no URLs. */
const MAX_LINE_CHARS = 65_536;

const XML_START = /<\?xml\s|<(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|feed|rdf)[\s>]/i;

/** Write the bytes in order (gzip removed), then end. */
export interface SitemapReader {
  write(chunk: Buffer): void;
  /** More bytes would change nothing. */
  isDone(): boolean;
  note(message: string): void;
  end(): SitemapDocument;
}

/** What one format does with text. */
interface TextReader {
  write(text: string): void;
  end(): void;
  format(): SitemapFormat | null;
  /** Root element that has not ended yet. */
  openRoot(): string | null;
}

export function createSitemapReader(input: SitemapInput): SitemapReader {
  const lists = createSitemapLists();
  let head: Buffer[] = [];
  let headBytes = 0;
  let isDamaged = false;
  let decode: ((chunk: Buffer, isLast: boolean) => string) | null = null;
  let start = '';
  let reader: TextReader | null = null;

  function feed(text: string, isLast: boolean): void {
    if (reader !== null) {
      reader.write(text);
      return;
    }
    // White space before the first character is no part of any format.
    start = (start + text).trimStart();
    if (start === '' || (start.length < HEAD_CHARS && !isLast)) return;
    reader = chooseReader(start, input.url, lists);
    start = '';
  }

  function decodeHead(): void {
    const bytes = Buffer.concat(head);
    head = [];
    const decoder = sitemapDecoder(bytes.subarray(0, SITEMAP_HEAD_BYTES), input.contentType);
    decode = (chunk, isLast) => decoder.decode(chunk, isLast);
    feed(decode(bytes, false), false);
  }

  return {
    write(chunk) {
      if (lists.isDone()) return;
      if (decode !== null) {
        feed(decode(chunk, false), false);
        return;
      }
      head.push(chunk);
      headBytes += chunk.length;
      if (headBytes >= SITEMAP_HEAD_BYTES) decodeHead();
    },
    isDone: () => lists.isDone(),
    note(message) {
      isDamaged = true;
      lists.notes.add(message);
    },
    end() {
      if (decode === null && headBytes > 0) decodeHead();
      if (decode !== null) feed(decode(Buffer.alloc(0), true), true);
      if (reader === null) lists.notes.add('empty file');
      reader?.end();
      // Whoever hands over less than the file has said so.
      const root = isDamaged ? null : reader?.openRoot();
      if (root) lists.notes.add(`the file ends before </${root}>: cut short`);
      const format = reader?.format() ?? null;
      const [urls, sitemaps] = [lists.urls(), lists.sitemaps()];
      return { format, urls, sitemaps, errors: lists.notes.list() };
    },
  };
}

/** XML by its first character; where something else comes first (a server's warning), by its root. */
function chooseReader(head: string, url: string, lists: SitemapLists): TextReader {
  const at = head.search(XML_START);
  const isXml = head.startsWith('<');
  const hasLeadIn = at > 0 && !/^<[?!]/.test(head) && !/^<html[\s>]/i.test(head);
  if (hasLeadIn) lists.notes.add('text before the XML: skipped');
  const reader = isXml || hasLeadIn ? xmlReader(url, lists) : lineReader(lists);
  reader.write(hasLeadIn ? head.slice(at) : head);
  return reader;
}

function xmlReader(url: string, lists: SitemapLists): TextReader {
  const collector = collectSitemap(url, lists);
  const tokens = createSitemapTokens(collector.handlers);
  return {
    write: (text) => tokens.write(text),
    end() {
      tokens.end();
      collector.finish();
      if (collector.format() === null) lists.fail('no sitemap or feed: it has no root element');
    },
    format: () => collector.format(),
    openRoot: () => collector.openRoot(),
  };
}

/** One URL a line; other lines are skipped. */
function lineReader(lists: SitemapLists): TextReader {
  let pending = '';
  let isTooLong = false;
  const take = (line: string) => {
    const isUrl = !isTooLong && line.length <= MAX_LINE_CHARS && /^\s*https?:/i.test(line);
    isTooLong = false;
    if (isUrl && !lists.isDone()) lists.add(line);
  };
  const isNone = () => lists.urls().length === 0;
  return {
    write(text) {
      const lines = text.split(/[\r\n]/);
      lines[0] = pending + (lines[0] ?? '');
      pending = lines.pop() ?? '';
      lines.forEach(take);
      // An endless line is let go as it grows.
      if (pending.length > MAX_LINE_CHARS) {
        pending = '';
        isTooLong = true;
      }
    },
    end() {
      take(pending);
      if (isNone()) lists.fail('no sitemap: neither XML nor a list of URLs');
    },
    format: () => (isNone() ? null : 'text'),
    openRoot: () => null,
  };
}
