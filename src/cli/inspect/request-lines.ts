/** The lines of a stream as bytes, each when it is complete; one that is too long costs no memory. */

/** A line, its line end left out; null for one that was longer than allowed and was dropped. */
export type RequestLine = Buffer | null;

const NEWLINE = 0x0a;

/**
 * Split a stream. What follows the last line end is a line where it is not empty.
 *
 * @param maxBytes of one line
 */
export async function* requestLines(
  input: AsyncIterable<Buffer | string>,
  maxBytes: number,
): AsyncGenerator<RequestLine, void> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (): RequestLine => {
    const line = length > maxBytes ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  const add = (part: Buffer): void => {
    length += part.length;
    if (length > maxBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  for await (const piece of input) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end));
      from = end + 1;
      yield take();
    }
    add(chunk.subarray(from));
  }
  if (length > 0) yield take();
}
