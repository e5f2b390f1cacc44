/** One JSON object as text in pieces: lists of links can be longer than a string may be. Pure. */

/** Characters after which a piece ends. */
const PIECE_CHARS = 1024 * 1024;

/**
 * The text of JSON.stringify, in pieces of about a megabyte.
 *
 * @param answer a plain object; only its arrays may be long, each of their elements is short
 */
export function* jsonPieces(answer: object): Generator<string, void> {
  let piece = '{';
  let separator = '';
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue;
    piece += `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (!Array.isArray(value)) {
      piece += JSON.stringify(value);
      continue;
    }
    piece += '[';
    for (const [n, element] of value.entries()) {
      piece += `${n === 0 ? '' : ','}${JSON.stringify(element)}`;
      if (piece.length >= PIECE_CHARS) {
        yield piece;
        piece = '';
      }
    }
    piece += ']';
  }
  yield `${piece}}`;
}
