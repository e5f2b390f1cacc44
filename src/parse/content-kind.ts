/** What a body is, by its Content-Type and by its first bytes. Pure. */

import { parseMimeType } from './mime-type.js';

/** html: has links; xml: may be a sitemap or feed; text: text without links; binary: the rest. */
export type ContentKind = 'html' | 'xml' | 'text' | 'binary';

/** Bytes that are looked at. */
const SNIFF_BYTES = 512;

/** First bytes, in latin1, of formats that servers deliver as HTML by mistake. */
const MAGIC =
  // eslint-disable-next-line no-control-regex
  /^(?:%PDF-|%!PS|\x89PNG\r|GIF8[79]a|\xff\xd8\xff|RIFF....(?:WEBP|WAVE|AVI )|PK[\x03\x05\x07]|\x1f\x8b|Rar!|7z\xbc\xaf|BZh|\xfd7zXZ|OggS|ID3|fLaC|\x00asm|\x7fELF|MZ[\x90\x00]|....ftyp|\x00\x00\x01\x00|wOF[F2]|\x1aE\xdf\xa3|\xd0\xcf\x11\xe0|II\*\x00|MM\x00\*|SQLite format 3\x00)/s;

/** Types that say nothing: the bytes decide. */
const UNKNOWN = new Set(['unknown/unknown', 'application/unknown']);
const HTML = new Set(['text/html', 'application/xhtml+xml']);
const XML = /^(?:text|application)\/xml$|\+xml$/;
const TEXT = /^(?:text\/|application\/(?:(?:[\w.-]+\+)?json|javascript|ecmascript|x-javascript)$)/;
const HTML_START =
  /^<(?:!doctype html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|meta|link)[\s>/]|^<!--/i;

/**
 * Kind of a body. A declared type is believed, except that a PDF, image or archive is binary
 * whatever it claims, and that a missing, void or invalid type is sniffed.
 *
 * @param contentType value of the header; null without one
 * @see https://mimesniff.spec.whatwg.org/
 */
export function contentKind(contentType: string | null, body: Uint8Array): ContentKind {
  const head = Buffer.from(body.subarray(0, SNIFF_BYTES)).toString('latin1');
  const type = parseMimeType(contentType)?.essence;
  if (MAGIC.test(head)) return 'binary';
  if (type === undefined || UNKNOWN.has(type)) return sniff(head);
  if (HTML.has(type)) return 'html';
  if (XML.test(type)) {
    if (type === 'image/svg+xml') return 'binary';
    return isXhtml(head) ? 'html' : 'xml';
  }
  return TEXT.test(type) ? 'text' : 'binary';
}

/** Is a page of this type read as XML rather than as HTML? */
export function isXmlType(contentType: string | null): boolean {
  return XML.test(parseMimeType(contentType)?.essence ?? '');
}

/** An XML document whose first element is a page's. */
function isXhtml(head: string): boolean {
  const first = /<[a-z_][^>]*/i.exec(asciiOf(head))?.[0] ?? '';
  return /^<html[\s>]/.test(first) && first.includes('http://www.w3.org/1999/xhtml');
}

function asciiOf(head: string): string {
  // Half of the bytes of UTF-16 markup are zeros: without them it reads as ASCII.
  return head.replaceAll('\0', '');
}

function sniff(head: string): ContentKind {
  const isUtf16 = /^(?:\xff\xfe|\xfe\xff)/.test(head);
  const text = (isUtf16 ? asciiOf(head.slice(2)) : head).replace(/^\xef\xbb\xbf/, '').trimStart();
  if (HTML_START.test(text)) return 'html';
  if (text.startsWith('<?xml')) return /<html[\s>]/i.test(text) ? 'html' : 'xml';
  if (/^<(?:urlset|sitemapindex|rss|feed|rdf:RDF)[\s>]/.test(text)) return 'xml';
  // eslint-disable-next-line no-control-regex
  if (!isUtf16 && /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(head)) return 'binary';
  return 'text';
}
