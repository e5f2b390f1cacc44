/**
 * Encodings of the WHATWG Encoding standard, by `@exodus/bytes`: the platform's decoders differ from
 * the standard's indexes in a dozen encodings, lack three, and throw on some small pieces.
 *
 * @see https://encoding.spec.whatwg.org/
 */

import { normalizeEncoding, TextDecoder } from '@exodus/bytes/encoding.js';
import { percentEncodeAfterEncoding } from '@exodus/bytes/whatwg.js';

/** Decodes a body piece by piece; a byte order mark is dropped, invalid bytes become U+FFFD. */
export interface BodyDecoder {
  decode(chunk: Uint8Array, isLast: boolean): string;
}

/** The encoding's name for a label (`latin1` → `windows-1252`); null for an unknown label. */
export function encodingOf(label: string): string | null {
  return normalizeEncoding(label);
}

/** @param charset a label or name; an unknown one is read as UTF-8 */
export function createDecoder(charset: string): BodyDecoder {
  const name = encodingOf(charset) ?? 'utf-8';
  if (name === 'replacement') return replacementDecoder();
  const decoder = new TextDecoder(name);
  return { decode: (chunk, isLast) => decoder.decode(chunk, { stream: !isLast }) };
}

/** The whole body as text. */
export function decodeBody(body: Uint8Array, charset: string): string {
  return createDecoder(charset).decode(body, true);
}

/** Is this UTF-8? A character that the end cuts counts as valid if `isCut`. */
export function isUtf8(bytes: Uint8Array, isCut: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}

/** Bytes of ASCII that a query may not hold raw, besides controls: the "special-query percent-encode set". */
const QUERY_SET = ' "#\'<>';

/**
 * Percent-encode a query in an encoding; what that lacks is sent as a character reference.
 *
 * @param encoding name of an encoding that is no Unicode
 * @returns null for the replacement encoding, which has no encoder
 * @see https://url.spec.whatwg.org/#string-percent-encode-after-encoding
 */
export function percentEncodeQuery(query: string, encoding: string): string | null {
  if (encoding === 'replacement') return null;
  return percentEncodeAfterEncoding(encoding, query, QUERY_SET);
}

/** One replacement character for a whole body that is not empty. */
function replacementDecoder(): BodyDecoder {
  let isEmpty = true;
  return {
    decode(chunk) {
      if (!isEmpty || chunk.length === 0) return '';
      isEmpty = false;
      return '\ufffd';
    },
  };
}
