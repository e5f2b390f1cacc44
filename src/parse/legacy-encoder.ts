/**
 * Encoders for legacy encodings. The platform only decodes them, so the tables are made by decoding
 * every one- and two-byte sequence once, when a page first needs its encoding.
 *
 * @see https://encoding.spec.whatwg.org/
 */

import { decodeBody, encodingOf } from './encodings.js';
import { FORMER_CELLS, fourByteTable, supplementaryBytes } from './gb18030-four-bytes.js';

/** Bytes of a text in order; a character that the encoding lacks stands as itself. */
export type Encoder = (text: string) => readonly (number | string)[];

type Table = ReadonlyMap<string, readonly number[]>;

const tables = new Map<string, Table>();
/** Encodings of two bytes a character. */
const DOUBLE_BYTE = new Set(['gbk', 'gb18030', 'big5', 'euc-jp', 'shift_jis', 'euc-kr']);
/** Characters of two cells of which encoders take the last. */
const BIG5_LAST = new Set('═╞╡╪十卅');
/** What the Japanese encoders take for characters that they lack. */
const JAPANESE: ReadonlyMap<string, string> = new Map([['\u2212', '\uff0d']]);
/** Yen sign and overline stand where ASCII has a backslash and a tilde. */
const ROMAN: ReadonlyMap<string, number> = new Map([
  ['\u00a5', 0x5c],
  ['\u203e', 0x7e],
]);

/**
 * @param encoding WHATWG name, as `encodingOf(label)` gives it
 * @returns null for an encoding that is not known, or that encoders replace by UTF-8
 */
export function createEncoder(encoding: string): Encoder | null {
  if (encoding === 'replacement') return null;
  if (encoding === 'iso-2022-jp') return encodeIso2022Jp;
  const table = tableOf(encoding);
  if (table === null) return null;
  const isJapanese = encoding === 'euc-jp' || encoding === 'shift_jis';
  const encodeChar = (char: string): readonly (number | string)[] => {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x80) return [code];
    if (isJapanese) {
      const roman = ROMAN.get(char);
      if (roman !== undefined) return [roman];
      char = JAPANESE.get(char) ?? char;
    }
    const bytes = table.get(char);
    if (bytes) return bytes;
    if (encoding !== 'gb18030') return [char];
    return (code > 0xffff ? supplementaryBytes(code) : fourByteTable().get(char)) ?? [char];
  };
  return (text) => [...text].flatMap(encodeChar);
}

function tableOf(encoding: string): Table | null {
  const known = tables.get(encoding);
  if (known) return known;
  const name = encodingOf(encoding);
  if (name === null) return null;
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: number[]) => {
    const char = decodeBody(Uint8Array.from(bytes), name);
    if ([...char].length !== 1 || char === '\ufffd') return;
    // What the platform makes of user-defined rows is in no index.
    if (name === 'shift_jis' && char >= '\ue000' && char <= '\uf8ff') return;
    // The first sequence of a character wins, as in the indexes of the Encoding standard.
    if (!table.has(char) || (name === 'big5' && BIG5_LAST.has(char))) table.set(char, bytes);
  };
  for (let lead = 0x80; lead <= 0xff; lead++) {
    if (!DOUBLE_BYTE.has(name)) add(lead);
    else if (isSingle(name, lead)) add(lead);
    else if (isLead(name, lead))
      for (let trail = 0x40; trail <= lastTrail(name, lead); trail++) add(lead, trail);
  }
  if (name === 'gbk' || name === 'gb18030') for (const pair of FORMER_CELLS) table.set(...pair);
  tables.set(encoding, table);
  return table;
}

/** Bytes above ASCII that are a character by themselves: half-width kana, and the euro of GBK. */
function isSingle(name: string, byte: number): boolean {
  if (name === 'shift_jis') return byte === 0x80 || (byte >= 0xa1 && byte <= 0xdf);
  return name === 'gbk' && byte === 0x80;
}

/** Rows that encoders take: not Big5's additions from Hong Kong, nor a second set of IBM's kanji. */
function isLead(name: string, byte: number): boolean {
  if (name === 'big5') return byte >= 0xa1;
  return name !== 'shift_jis' || (byte !== 0xed && byte !== 0xee);
}

/** Half-width kana of EUC-JP end early. */
function lastTrail(name: string, lead: number): number {
  return name === 'euc-jp' && lead === 0x8e ? 0xdf : 0xfe;
}

/** JIS X 0208 is EUC-JP without the high bits; escape sequences switch between the sets. */
function encodeIso2022Jp(text: string): readonly (number | string)[] {
  const table = tableOf('euc-jp');
  const out: (number | string)[] = [];
  let state = 'B';
  const shift = (to: string) => {
    if (to !== state)
      out.push(0x1b, to === '$' ? 0x24 : 0x28, to === '$' ? 0x42 : to.charCodeAt(0));
    state = to;
  };
  for (const raw of text) {
    const code = raw.codePointAt(0) ?? 0;
    const roman = ROMAN.get(raw);
    const char = fullWidth(JAPANESE.get(raw) ?? raw);
    const bytes = code < 0x80 ? undefined : table?.get(char);
    if (roman !== undefined) {
      shift('J');
      out.push(roman);
    } else if (bytes?.length === 2 && bytes.every((byte) => byte >= 0xa1)) {
      shift('$');
      out.push(...bytes.map((byte) => byte - 0x80));
    } else if (code < 0x80) {
      // In Roman, only backslash and tilde are other characters.
      if (state !== 'J' || code === 0x5c || code === 0x7e) shift('B');
      out.push(code);
    } else {
      if (state === '$') shift('B');
      out.push(raw);
    }
  }
  shift('B');
  return out;
}

/** JIS X 0208 has no half-width kana. */
function fullWidth(char: string): string {
  if (char === '\uff9e') return '\u309b';
  if (char === '\uff9f') return '\u309c';
  return char >= '\uff61' && char <= '\uff9d' ? char.normalize('NFKC') : char;
}
