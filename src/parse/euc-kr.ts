/**
 * EUC-KR as the web means it: with the 8,822 syllables that windows-949 adds and the platform's decoder
 * lacks. They stand in the order of Unicode in the cells that KS X 1001 leaves, so no table is needed.
 *
 * @see https://encoding.spec.whatwg.org/#euc-kr-decoder
 */

import type { BodyDecoder } from './encodings.js';

const FIRST_SYLLABLE = 0xac00;
const SYLLABLES = 11_172;
/** Cells of a row before the part that KS X 1001 fills: A–Z, a–z, 0x81–0xA0 of its second byte. */
const ROWS_BEFORE_KS = 0xa1;

let table: ReadonlyMap<number, string> | undefined;

/** Characters by their two bytes. */
function characters(): ReadonlyMap<number, string> {
  if (table) return table;
  const found = new Map<number, string>();
  const decoder = new TextDecoder('euc-kr');
  const isKnown = new Set<string>();
  for (let lead = 0xa1; lead <= 0xfe; lead++) {
    for (let trail = 0xa1; trail <= 0xfe; trail++) {
      const char = decoder.decode(Uint8Array.of(lead, trail));
      // Private characters: user-defined rows of the platform's, in no index.
      if (char.length !== 1 || (char >= '\ue000' && char <= '\uf8ff') || char === '\ufffd')
        continue;
      found.set((lead << 8) | trail, char);
      isKnown.add(char);
    }
  }
  // Added to the standard in 1998, and not known to the platform.
  found.set(0xa2e6, '€');
  found.set(0xa2e7, '®');
  const added = Array.from({ length: SYLLABLES }, (_, i) =>
    String.fromCharCode(FIRST_SYLLABLE + i),
  ).filter((char) => !isKnown.has(char));
  let next = 0;
  for (let lead = 0x81; lead <= 0xc6; lead++) {
    const last = lead < ROWS_BEFORE_KS ? 0xfe : 0xa0;
    for (let trail = 0x41; trail <= last; trail++) {
      const isCell = trail <= 0x5a || (trail >= 0x61 && trail <= 0x7a) || trail >= 0x81;
      const char = isCell ? added[next++] : undefined;
      if (char !== undefined) found.set((lead << 8) | trail, char);
    }
  }
  table = found;
  return found;
}

/** A decoder for one body. */
export function createEucKrDecoder(): BodyDecoder {
  const chars = characters();
  let lead = 0;
  return {
    decode(chunk, isLast) {
      let text = '';
      let start = 0;
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      for (let i = 0; i < bytes.length; i++) {
        const byte = bytes[i] ?? 0;
        if (lead !== 0) {
          const char = chars.get((lead << 8) | byte);
          text += char ?? '\ufffd';
          lead = 0;
          // An ASCII byte behind a lead that it does not fit stands for itself.
          start = char === undefined && byte < 0x80 ? i : i + 1;
        } else if (byte >= 0x80) {
          text += bytes.toString('latin1', start, i);
          start = i + 1;
          if (byte >= 0x81 && byte <= 0xfe) lead = byte;
          else text += '\ufffd';
        }
      }
      text += bytes.toString('latin1', start);
      if (isLast && lead !== 0) {
        lead = 0;
        text += '\ufffd';
      }
      return text;
    },
  };
}
