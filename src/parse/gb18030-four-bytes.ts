/** What GB18030 has besides its two-byte cells: four-byte forms, which reach all of Unicode. */

/** Four-byte forms of the Basic Multilingual Plane: 0x81308130 to 0x8431A439. */
const PLANE_FORMS = 39_420;
/** Where the forms of U+10000 and above begin. */
const SUPPLEMENTARY_POINTER = 189_000;

let table: ReadonlyMap<string, readonly number[]> | undefined;

/** Forms of the characters of the Basic Multilingual Plane, by decoding each once. */
export function fourByteTable(): ReadonlyMap<string, readonly number[]> {
  if (table) return table;
  const found = new Map<string, readonly number[]>();
  const decoder = new TextDecoder('gb18030');
  for (let pointer = 0; pointer < PLANE_FORMS; pointer++) {
    const bytes = bytesOf(pointer);
    const char = decoder.decode(Uint8Array.from(bytes));
    if (char.length === 1 && char !== '\ufffd' && !found.has(char)) found.set(char, bytes);
  }
  found.set('\ufffd', bytesOf(PLANE_FORMS - 3));
  table = found;
  return found;
}

/** Form of a code point from U+10000 on. */
export function supplementaryBytes(codePoint: number): readonly number[] {
  return bytesOf(SUPPLEMENTARY_POINTER + codePoint - 0x10000);
}

function bytesOf(pointer: number): readonly number[] {
  return [
    Math.floor(pointer / 12_600) + 0x81,
    (Math.floor(pointer / 1_260) % 10) + 0x30,
    (Math.floor(pointer / 10) % 126) + 0x81,
    (pointer % 10) + 0x30,
  ];
}

/** Private characters that stood in cells which GB18030-2022 gave to others; they are still written so. */
export const FORMER_CELLS: readonly (readonly [char: string, bytes: readonly number[]])[] = [
  ...[0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xec, 0xed, 0xf3].map(
    (trail, i) => [String.fromCharCode(0xe78d + i), [0xa6, trail]] as const,
  ),
  ...Object.entries({ '\ue81e': 0x59, '\ue826': 0x61, '\ue82b': 0x66, '\ue82c': 0x67 }).map(
    ([char, trail]) => [char, [0xfe, trail]] as const,
  ),
  ...Object.entries({ '\ue832': 0x6d, '\ue843': 0x7e, '\ue854': 0x90, '\ue864': 0xa0 }).map(
    ([char, trail]) => [char, [0xfe, trail]] as const,
  ),
];
