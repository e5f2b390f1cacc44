/** Which encoding a body has, and its text. Labels and precedence follow the WHATWG standards. */

import { TagStream } from './tag-stream.js';

/**
 * Bytes in which a `<meta charset>` is looked for. The standard prescans 1,024, but a browser that
 * meets a later one starts again; 16 KiB covers the heads of real pages.
 */
export const META_PRESCAN_BYTES = 16 * 1024;

/** Bytes by which a body without any declaration is told to be UTF-8 or not. */
const UTF8_SAMPLE_BYTES = 1024 * 1024;

/**
 * Name of a body's encoding (WHATWG, lower-case): byte order mark, then the Content-Type header, then
 * `<meta>` or an XML declaration, then UTF-8 where the body is valid UTF-8, else windows-1252.
 *
 * @param contentType value of the header; null without one
 * @see https://html.spec.whatwg.org/#determining-the-character-encoding
 */
export function detectCharset(body: Uint8Array, contentType: string | null): string {
  return (
    bomCharset(body) ??
    charsetParameter(contentType ?? '') ??
    declaredCharset(body) ??
    (isUtf8(body) ? 'utf-8' : 'windows-1252')
  );
}

/** Encoding of an XML body: byte order mark, XML declaration, header, else UTF-8. */
export function detectXmlCharset(body: Uint8Array, contentType: string | null): string {
  return bomCharset(body) ?? xmlCharset(body) ?? charsetParameter(contentType ?? '') ?? 'utf-8';
}

/** The encoding's name for a label (`latin1` → `windows-1252`); null for an unknown label. */
export function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** Decodes a body piece by piece; a byte order mark is dropped, invalid bytes become U+FFFD. */
export interface BodyDecoder {
  decode(chunk: Uint8Array, isLast: boolean): string;
}

/** @param charset result of detectCharset; an unknown one is read as UTF-8 */
export function createDecoder(charset: string): BodyDecoder {
  const name = encodingOf(charset) ?? 'utf-8';
  // Node 20 decodes this one as ISO-8859-1: 0x80 is no euro sign there.
  if (name === 'windows-1252') return { decode: decodeWindows1252 };
  const decoder = new TextDecoder(name);
  return { decode: (chunk, isLast) => decoder.decode(chunk, { stream: !isLast }) };
}

/** The whole body as text. */
export function decodeBody(body: Uint8Array, charset: string): string {
  return createDecoder(charset).decode(body, true);
}

function bomCharset(body: Uint8Array): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return null;
}

function charsetParameter(contentType: string): string | null {
  const match = /(?:^|[;\s])charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i.exec(contentType);
  return encodingOf(match?.[1] ?? match?.[2] ?? match?.[3] ?? '');
}

function declaredCharset(body: Uint8Array): string | null {
  const xml = xmlCharset(body);
  if (xml !== null) return xml;
  let found: string | null = null;
  const stream = new TagStream({
    attributes: ['charset', 'http-equiv', 'content'],
    onOpenTag(name, attributes) {
      if (found !== null || name !== 'meta') return;
      const isPragma = attributes.get('http-equiv')?.trim().toLowerCase() === 'content-type';
      found =
        encodingOf(attributes.get('charset') ?? '') ??
        (isPragma ? charsetParameter(attributes.get('content') ?? '') : null);
    },
  });
  stream.write(Buffer.from(body.subarray(0, META_PRESCAN_BYTES)).toString('latin1'));
  stream.end();
  return asciiCompatible(found);
}

function xmlCharset(body: Uint8Array): string | null {
  const head = Buffer.from(body.subarray(0, 256)).toString('latin1');
  const match = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(head);
  return asciiCompatible(encodingOf(match?.[1] ?? ''));
}

/** A declaration that can be read as ASCII is no UTF-16, whatever it says. */
function asciiCompatible(encoding: string | null): string | null {
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding;
}

function isUtf8(body: Uint8Array): boolean {
  const sample = body.subarray(0, UTF8_SAMPLE_BYTES);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, {
      stream: sample.length < body.length,
    });
    return true;
  } catch {
    return false;
  }
}

/** 0x80 to 0x9F of windows-1252; the five unassigned ones stay C1 controls. */
const WINDOWS_1252_HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function decodeWindows1252(chunk: Uint8Array): string {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (c) => WINDOWS_1252_HIGH[c.charCodeAt(0) - 0x80] ?? c);
}
