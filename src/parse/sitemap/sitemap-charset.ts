/** Encoding of a sitemap or feed. */

import { getBOMEncoding } from '@exodus/bytes/encoding.js';
import { detectXmlCharset, headerCharset } from '../charset/detect-charset.js';
import { createDecoder, isUtf8, type BodyDecoder } from '../charset/encodings.js';

/** First bytes that encoding and format are told by. */
export const SITEMAP_HEAD_BYTES = 64 * 1024;

/**
 * Decoder for a file: a byte order mark; UTF-16 that shows without one; then what Content-Type and
 * XML declaration say. Where they disagree and one of them says UTF-8, the bytes decide, else the
 * header. Without either: UTF-8, or windows-1252 where the bytes are none.
 *
 * @param head first SITEMAP_HEAD_BYTES, or the whole file
 * @param contentType value of the header; null without one
 * @see RFC 7303 §3; https://www.w3.org/TR/xml/#sec-guessing
 */
export function sitemapDecoder(head: Buffer, contentType: string | null): BodyDecoder {
  return createDecoder(charsetOf(head, contentType));
}

function charsetOf(head: Buffer, contentType: string | null): string {
  if (getBOMEncoding(head) === null) {
    const [first, second] = head;
    if (first === 0 && second !== undefined && second !== 0) return 'utf-16be';
    if (second === 0 && first !== undefined && first !== 0) return 'utf-16le';
  }
  const declared = detectXmlCharset(head, null);
  if (getBOMEncoding(head) !== null) return declared;
  const isDeclared = /^\s*<\?xml\s[^>]*?encoding\s*=/.test(head.toString('latin1', 0, 256));
  const named = isDeclared ? declared : null;
  const header = byteCharset(contentType);
  if (header === null && named === null) return isUtf8(head, true) ? 'utf-8' : 'windows-1252';
  if (header === null || named === null || header === named) return header ?? named ?? 'utf-8';
  if (header !== 'utf-8' && named !== 'utf-8') return header;
  if (isUtf8(head, true)) return 'utf-8';
  return header === 'utf-8' ? named : header;
}

function byteCharset(contentType: string | null): string | null {
  const charset = headerCharset(contentType);
  // What can be read byte by byte is no UTF-16.
  return charset?.startsWith('utf-16') ? null : charset;
}
