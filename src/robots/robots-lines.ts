/** From the bytes of a robots.txt to its records. Total: any bytes give some list of records. */

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

/**
 * Records of a robots.txt in order. Lines end with CR, LF or both; whatever is no known record (HTML,
 * junk) is skipped. Bytes past ROBOTS_MAX_BYTES are cut at the end of the last whole line. An invalid
 * UTF-8 sequence becomes U+FFFD, which spoils its own line at most.
 */
export function robotsRecords(body: Uint8Array | string): RobotsRecord[] {
  const records: RobotsRecord[] = [];
  for (const line of decode(body).split(/\r\n|\r|\n/)) {
    const text = line.split('#', 1)[0] ?? '';
    const colon = text.indexOf(':');
    if (colon < 0) continue;
    const key = text.slice(0, colon).trim().toLowerCase();
    const name = Object.hasOwn(NAMES, key) ? NAMES[key] : undefined;
    if (name) records.push({ name, value: text.slice(colon + 1).trim() });
  }
  return records;
}

function decode(body: Uint8Array | string): string {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isUtf16Be = bytes[0] === 0xfe && bytes[1] === 0xff;
  const label = isUtf16 ? 'utf-16le' : isUtf16Be ? 'utf-16be' : 'utf-8';
  // The decoder drops a byte order mark; a second one, or one further down, is part of its line.
  return new TextDecoder(label).decode(cutAtLine(bytes));
}

function cutAtLine(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= ROBOTS_MAX_BYTES) return bytes;
  let end = ROBOTS_MAX_BYTES;
  while (end > 0 && bytes[end - 1] !== 0x0a && bytes[end - 1] !== 0x0d) end--;
  return bytes.subarray(0, end);
}
