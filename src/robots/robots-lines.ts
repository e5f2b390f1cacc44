/** From the bytes of a robots.txt to its records. Total: any bytes give some list of records. */

import { isUtf8 } from 'node:buffer';
import { ROBOTS_MAX_BYTES } from './access.js';

/** Record names that mean something to a crawler. */
export type RecordName = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap';

/** One `name: value` line; the value is trimmed and free of comments. */
export interface RobotsRecord {
  readonly name: RecordName;
  readonly value: string;
}

/** Spellings seen in the wild; RFC 9309 §2.2 leaves such leniency to the parser. */
const NAMES: Readonly<Record<string, RecordName>> = {
  'user-agent': 'user-agent',
  useragent: 'user-agent',
  'user agent': 'user-agent',
  allow: 'allow',
  disallow: 'disallow',
  dissallow: 'disallow',
  dissalow: 'disallow',
  disalow: 'disallow',
  diasllow: 'disallow',
  disallaw: 'disallow',
  'crawl-delay': 'crawl-delay',
  crawldelay: 'crawl-delay',
  sitemap: 'sitemap',
  'site-map': 'sitemap',
};

/** White space of any script; a byte order mark is none: it spoils the name that it stands in. */
const BLANK = /[^\S\ufeff]/;
/** A line of just two words: a record that lost its colon. */
const TWO_WORDS = /^([a-z-]+)[ \t]+(\S+)$/i;
/** A tag that ends a line of text; placeholders such as `<lang>` are no tags. */
const LINE_TAG =
  /^<(?:(?:br|hr|p)\s*\/?|\/(?:p|div|pre|li|t[dr]|[uo]l|span|font|code|tt|h[1-6]|body|html)\s*)>$/i;

/**
 * Records of a robots.txt in order. Lines end with CR, LF or both; whatever is no known record (HTML,
 * junk) is skipped, and tags behind a value are no part of it: some editors put `<br>` behind every
 * line. Bytes past ROBOTS_MAX_BYTES are cut at the end of the last whole line. Where a line is no
 * UTF-8, its bytes above 127 come back percent-encoded: octets are what rules compare.
 */
export function robotsRecords(body: Uint8Array | string): RobotsRecord[] {
  const records: RobotsRecord[] = [];
  for (const line of linesOf(body)) {
    const text = trimBlanks(line.split('#', 1)[0] ?? '');
    const colon = text.indexOf(':');
    if (colon >= 0) {
      const name = nameOf(trimBlanks(text.slice(0, colon)));
      if (name) records.push({ name, value: withoutTags(trimBlanks(text.slice(colon + 1))) });
      continue;
    }
    const [, key = '', value = ''] = TWO_WORDS.exec(text) ?? [];
    const name = nameOf(key);
    if (name) records.push({ name, value });
  }
  return records;
}

/**
 * The same file without what says nothing: comments, unknown records, markup. A page of HTML in the
 * place of a robots.txt, which many sites have, shrinks to nothing.
 *
 * @returns bytes with the same records; the file itself where they would take more room
 */
export function withoutJunk(body: Uint8Array): Uint8Array {
  const lines = robotsRecords(body).map(({ name, value }) => `${name}: ${value}\n`);
  const bytes = Buffer.from(lines.join(''));
  return bytes.length < Math.min(body.length, ROBOTS_MAX_BYTES) ? bytes : body;
}

function nameOf(key: string): RecordName | undefined {
  const lower = key.toLowerCase();
  return Object.hasOwn(NAMES, lower) ? NAMES[lower] : undefined;
}

function withoutTags(value: string): string {
  let text = value;
  while (text.endsWith('>')) {
    const start = text.lastIndexOf('<');
    if (start < 0 || !LINE_TAG.test(text.slice(start))) break;
    text = trimBlanks(text.slice(0, start));
  }
  return text;
}

function linesOf(body: Uint8Array | string): string[] {
  const bytes =
    typeof body === 'string'
      ? Buffer.from(body)
      : Buffer.from(body.buffer, body.byteOffset, body.length);
  const wide = wideLabel(bytes);
  const text =
    wide === null
      ? // A byte order mark, or the part of one that a careless tool has left of it.
        cutAtLine(bytes)
          .toString('latin1')
          .replace(/^\xef(?:\xbb\xbf?)?/, '')
      : new TextDecoder(wide).decode(bytes.subarray(0, ROBOTS_MAX_BYTES));
  const lines = text.split(/\r\n|\r|\n/);
  return wide === null ? lines.map(decodeLine) : lines;
}

function wideLabel([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

/** @param line a character a byte */
function decodeLine(line: string): string {
  const bytes = Buffer.from(line, 'latin1');
  if (isUtf8(bytes)) return bytes.toString();
  return line.replace(
    /[\x80-\xff]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function cutAtLine(bytes: Buffer): Buffer {
  if (bytes.length <= ROBOTS_MAX_BYTES) return bytes;
  let end = ROBOTS_MAX_BYTES;
  // The byte past the limit may say that the last line is whole.
  while (end > 0 && !isLineEnd(bytes[end]) && !isLineEnd(bytes[end - 1])) end--;
  return bytes.subarray(0, end);
}

const isLineEnd = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d;

/** Walks from both ends: a regular expression would take quadratic time on a line of blanks. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANK.test(text.charAt(start))) start++;
  while (end > start && BLANK.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
