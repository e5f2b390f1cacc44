/**
 * Encoders for legacy encodings. The platform only decodes them, so the tables are made by decoding
 * every one- and two-byte sequence once, when a page first needs its encoding.
 */

import { decodeBody, encodingOf } from './charset.js';

/** Bytes of a text in order; a character that the encoding lacks stands as itself. */
export type Encoder = (text: string) => readonly (number | string)[];

type Table = ReadonlyMap<string, readonly number[]>;

const tables = new Map<string, Table>();
/** Encodings of two bytes a character; gb18030's four-byte forms are left out. */
const DOUBLE_BYTE = new Set(['gbk', 'gb18030', 'big5', 'euc-jp', 'shift_jis', 'euc-kr']);

/**
 * @param encoding WHATWG name, as `new TextDecoder(label).encoding` gives it
 * @returns null for an encoding that the platform does not know
 */
export function createEncoder(encoding: string): Encoder | null {
  if (encoding === 'iso-2022-jp') return encodeIso2022Jp;
  const table = tableOf(encoding);
  if (table === null) return null;
  return (text) => [...text].flatMap<number | string>((char) => encodeChar(char, table));
}

function encodeChar(char: string, table: Table): readonly (number | string)[] {
  const code = char.charCodeAt(0);
  return code < 0x80 ? [code] : (table.get(char) ?? [char]);
}

function tableOf(encoding: string): Table | null {
  const known = tables.get(encoding);
  if (known) return known;
  const name = encodingOf(encoding);
  if (name === null) return null;
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: number[]) => {
    const char = decodeBody(Uint8Array.from(bytes), name);
    // The first sequence of a character wins, as in the indexes of the Encoding standard.
    if ([...char].length === 1 && char !== '\ufffd' && !table.has(char)) table.set(char, bytes);
  };
  for (let lead = 0x80; lead <= 0xff; lead++) {
    add(lead);
    if (!DOUBLE_BYTE.has(encoding)) continue;
    for (let trail = 0x40; trail <= 0xfe; trail++) add(lead, trail);
  }
  tables.set(encoding, table);
  return table;
}

/** JIS X 0208 is EUC-JP without the high bits, between two escape sequences. */
function encodeIso2022Jp(text: string): readonly (number | string)[] {
  const table = tableOf('euc-jp');
  const out: (number | string)[] = [];
  let isDouble = false;
  const shift = (to: boolean) => {
    if (to !== isDouble) out.push(0x1b, ...(to ? [0x24, 0x42] : [0x28, 0x42]));
    isDouble = to;
  };
  for (const char of text) {
    const bytes = char.charCodeAt(0) < 0x80 ? undefined : table?.get(char);
    if (bytes?.length === 2 && bytes.every((byte) => byte >= 0xa1)) {
      shift(true);
      out.push(...bytes.map((byte) => byte - 0x80));
    } else {
      shift(false);
      out.push(char.charCodeAt(0) < 0x80 ? char.charCodeAt(0) : char);
    }
  }
  shift(false);
  return out;
}
