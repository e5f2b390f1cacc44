/**
 * Decoders of the WHATWG Encoding standard. The platform's are used where they are right; where they
 * are not (measured against the standard's index files), what is wrong is mended here.
 *
 * @see https://encoding.spec.whatwg.org/
 */

import { createEucKrDecoder } from './euc-kr.js';

/** Decodes a body piece by piece; a byte order mark is dropped, invalid bytes become U+FFFD. */
export interface BodyDecoder {
  decode(chunk: Uint8Array, isLast: boolean): string;
}

/** Labels of encodings that would let bytes mean something else than what filters see. */
const REPLACEMENT = new Set([
  'replacement',
  'csiso2022kr',
  'hz-gb-2312',
  'iso-2022-cn',
  'iso-2022-cn-ext',
  'iso-2022-kr',
]);
/** Encodings that the platform lacks; each has one label. */
const OWN = new Set(['iso-8859-16', 'x-user-defined']);

/** The encoding's name for a label (`latin1` → `windows-1252`); null for an unknown label. */
export function encodingOf(label: string): string | null {
  const name = label.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '').toLowerCase();
  if (REPLACEMENT.has(name)) return 'replacement';
  if (OWN.has(name)) return name;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return null;
  }
}

/** Upper halves that differ from the platform's, from byte 0x80 or from the byte named. */
const MENDED: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  'windows-1252': { 0x80: '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ' },
  'windows-1253': { 0xaa: '\ufffd' },
  'windows-1255': { 0xca: '\u05ba' },
  'windows-874': { 0xdb: '\ufffd'.repeat(4), 0xfc: '\ufffd'.repeat(4) },
  'koi8-u': { 0xae: 'ў', 0xbe: 'Ў' },
  ibm866: {},
  'x-user-defined': {
    0x80: Array.from({ length: 128 }, (_, i) => String.fromCharCode(0xf780 + i)).join(''),
  },
  'iso-8859-16': {
    0xa0:
      '\u00a0ĄąŁ€„Š§š©Ș«Ź\u00adźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚß' +
      'àáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ',
  },
};

/** @param charset a label or name; an unknown one is read as UTF-8 */
export function createDecoder(charset: string): BodyDecoder {
  const name = encodingOf(charset) ?? 'utf-8';
  if (name === 'replacement') return replacementDecoder();
  if (MENDED[name]) return singleByteDecoder(name);
  if (name === 'euc-kr') return createEucKrDecoder();
  // The standard has one decoder for both; the platform's gbk lacks characters.
  const decode = streamOf(new TextDecoder(name === 'gbk' ? 'gb18030' : name));
  if (name !== 'shift_jis') return { decode };
  return { decode: (chunk, isLast) => decode(chunk, isLast).replace(ROTATED, rotateBack) };
}

/** The whole body as text. */
export function decodeBody(body: Uint8Array, charset: string): string {
  return createDecoder(charset).decode(body, true);
}

/** Fewest bytes that the platform's decoder is given at once. */
const FEWEST_BYTES = 64;

/**
 * The platform's decoder throws on a few bytes that complete more characters than they are bytes, as
 * after a broken GB18030 sequence: so bytes are held back, and the last piece is no small one.
 */
function streamOf(decoder: InstanceType<typeof TextDecoder>): BodyDecoder['decode'] {
  let held: Uint8Array = new Uint8Array();
  return (chunk, isLast) => {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const end = isLast ? bytes.length : bytes.length - FEWEST_BYTES;
    if (!isLast && end < FEWEST_BYTES) {
      held = Uint8Array.from(bytes);
      return '';
    }
    held = Uint8Array.from(bytes.subarray(end));
    return decoder.decode(bytes.subarray(0, end), { stream: !isLast });
  };
}

/** Three controls that the platform's IBM tables rotate. */
// eslint-disable-next-line no-control-regex
const ROTATED = /[\x1a\x1c\x7f]/g;

function rotateBack(char: string): string {
  return char === '\x1c' ? '\x1a' : char === '\x7f' ? '\x1c' : '\x7f';
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

function singleByteDecoder(name: string): BodyDecoder {
  const upper = upperHalf(name);
  return {
    decode: (chunk) =>
      Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
        .toString('latin1')
        .replace(/[\u0080-\u00ff]/g, (c) => upper[c.charCodeAt(0) - 0x80] ?? c),
  };
}

function upperHalf(name: string): string[] {
  const bytes = Uint8Array.from({ length: 128 }, (_, i) => 0x80 + i);
  const platform = OWN.has(name) ? 'iso-8859-1' : name;
  const chars =
    platform === 'iso-8859-1' || name === 'windows-1252'
      ? [...Buffer.from(bytes).toString('latin1')]
      : [...new TextDecoder(platform).decode(bytes)];
  for (const [start, text] of Object.entries(MENDED[name] ?? {})) {
    [...text].forEach((char, i) => (chars[Number(start) - 0x80 + i] = char));
  }
  return chars;
}
