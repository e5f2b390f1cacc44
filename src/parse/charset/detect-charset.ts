/** Which encoding a body has. Labels and precedence follow the WHATWG and XML standards. */

import { getBOMEncoding } from '@exodus/bytes/encoding.js';
import { isXmlType } from '../content-kind.js';
import { parseMimeType } from '../mime-type.js';
import { encodingOf, isUtf8 } from './encodings.js';
import { HtmlTree } from '../markup/html-tree.js';
import { declarable, metaCharset, prescanMeta } from './meta-prescan.js';

/** Bytes that the standard prescans, whatever element they belong to. */
const PRESCAN_BYTES = 1024;
/**
 * Bytes in which a later `<meta>` is looked for: by the standard a browser that meets one starts again,
 * and this covers the heads of real pages. Here only a real element counts, not text in a script.
 */
export const META_PRESCAN_BYTES = 64 * 1024;

/** Bytes by which a body without any declaration is told to be UTF-8 or not. */
const UTF8_SAMPLE_BYTES = 1024 * 1024;

/**
 * Name of a body's encoding (WHATWG, lower-case): byte order mark, then the Content-Type header, then
 * what the body declares (`<meta>`, then an XML declaration; of XML only the latter), then what a
 * malformed header may mean, then UTF-8 where the body is valid UTF-8, else windows-1252.
 *
 * @param contentType value of the header; null without one
 * @see https://html.spec.whatwg.org/#determining-the-character-encoding
 */
export function detectCharset(body: Uint8Array, contentType: string | null): string {
  const sure = getBOMEncoding(body) ?? charsetParameter(contentType);
  if (sure !== null) return sure;
  const declared = isXmlType(contentType)
    ? xmlCharset(body)
    : (utf16Markup(body) ?? declaredCharset(body));
  return declared ?? looseCharset(contentType) ?? guess(body);
}

/** Encoding of an XML body: byte order mark, XML declaration, header, else UTF-8. */
export function detectXmlCharset(body: Uint8Array, contentType: string | null): string {
  return getBOMEncoding(body) ?? xmlCharset(body) ?? headerCharset(contentType) ?? 'utf-8';
}

/** Encoding of a text that declares nothing itself: byte order mark, header, UTF-8 or windows-1252. */
export function detectTextCharset(body: Uint8Array, contentType: string | null): string {
  return getBOMEncoding(body) ?? headerCharset(contentType) ?? guess(body);
}

/** Encoding that a Content-Type header names, malformed ones included; null for none. */
export function headerCharset(contentType: string | null): string | null {
  return charsetParameter(contentType) ?? looseCharset(contentType);
}

/** UTF-16 without a mark, by an XML declaration in it. */
function utf16Markup(body: Uint8Array): string | null {
  const head = latin1(body, 6);
  if (head === '<\0?\0x\0') return 'utf-16le';
  return head === '\0<\0?\0x' ? 'utf-16be' : null;
}

function charsetParameter(contentType: string | null): string | null {
  return encodingOf(parseMimeType(contentType)?.charset ?? '');
}

/** Single quotes, spaces around the equals sign, no type: no parameter by the standard, yet meant. */
function looseCharset(contentType: string | null): string | null {
  const match = /(?:^|[;,\s])charset\s*=\s*["']?([^\s;,"']+)/i.exec(contentType ?? '');
  return encodingOf(match?.[1] ?? '');
}

function declaredCharset(body: Uint8Array): string | null {
  return prescanMeta(latin1(body, PRESCAN_BYTES)) ?? xmlCharset(body) ?? lateMeta(body);
}

function lateMeta(body: Uint8Array): string | null {
  if (body.length <= PRESCAN_BYTES) return null;
  let found: string | null = null;
  const tree = new HtmlTree(['charset', 'http-equiv', 'content'], {
    onElement(name, space, attributes) {
      if (found !== null || name !== 'meta' || space !== 'html') return;
      found = metaCharset((attribute) => attributes.get(attribute));
    },
    onEndTag() {},
    onText() {},
    onEnd() {},
  });
  tree.write(latin1(body, META_PRESCAN_BYTES));
  tree.end();
  return found;
}

function xmlCharset(body: Uint8Array): string | null {
  const head = latin1(body, 1024);
  const match = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"'\s]+)["']/.exec(head.trimStart());
  return match ? declarable(encodingOf(match[1] ?? '')) : null;
}

function latin1(body: Uint8Array, length: number): string {
  return Buffer.from(body.subarray(0, length)).toString('latin1');
}

/** A character that the end of the sample cuts may still become one. */
function guess(body: Uint8Array): string {
  const sample = body.subarray(0, UTF8_SAMPLE_BYTES);
  return isUtf8(sample, sample.length < body.length) ? 'utf-8' : 'windows-1252';
}
