/**
 * Response heads in the wild, put into the one form that a strict parser takes. Only what RFC 9112
 * lets a recipient forgive is forgiven; what decides where a body ends is never guessed.
 */

/** Control characters that no field value may hold; tab, CR and LF are not among them here. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const ALL_CONTROLS = new RegExp(CONTROLS.source, 'g');
/** Fields that say where the message ends. */
const FRAMING = /^(content-length|transfer-encoding)\s*:/i;
/** Anything that tidying changes: a bare LF, a folded line, white space before a colon, a list. */
const UNTIDY = /(^|[^\r])\n|\n[ \t]|\n[^\s:]+[ \t]+:|\ncontent-length:[^\n]*,/i;
const LENGTH = /^content-length:(.*)$/i;

/**
 * One whole head, with its empty line.
 *
 * - A line may end in LF alone (§2.2), go on in lines that begin with white space (§5.2: joined), or
 *   have white space before its colon (§5.1: removed).
 * - A control character within a value becomes a space (RFC 9110 §5.5), except in fields that say
 *   where the message ends.
 * - The same Content-Length several times, in fields or in a list (`5, 5`), is one (RFC 9110 §8.6);
 *   different ones are left for the parser to refuse.
 *
 * @returns the very buffer where nothing is to be tidied
 */
export function tidyHead(head: Buffer): Buffer {
  const text = head.toString('latin1');
  const isTidy = !UNTIDY.test(text) && !CONTROLS.test(text) && lengthCount(text) < 2;
  if (isTidy) return head;
  const [statusLine = '', ...lines] = text.split(/\r?\n/);
  const fields: string[] = [];
  for (const line of lines) {
    if (line === '') continue;
    if (/^[ \t]/.test(line) && fields.length > 0) {
      fields.push(`${fields.pop() ?? ''} ${line.trim()}`);
    } else {
      fields.push(line);
    }
  }
  const tidy = withOneLength(fields.map(tidyField));
  return Buffer.from([statusLine, ...tidy, '', ''].join('\r\n'), 'latin1');
}

function lengthCount(text: string): number {
  return text.match(/\ncontent-length[ \t]*:/gi)?.length ?? 0;
}

function tidyField(field: string): string {
  const named = field.replace(/^([^\s:]+)[ \t]+:/, '$1:');
  const colon = named.indexOf(':');
  if (colon < 0 || FRAMING.test(named)) return named;
  return named.slice(0, colon) + named.slice(colon).replace(ALL_CONTROLS, ' ');
}

function withOneLength(fields: readonly string[]): readonly string[] {
  const lengths = fields
    .flatMap((field) => LENGTH.exec(field)?.[1]?.split(',') ?? [])
    .map((length) => length.trim());
  const [first = ''] = lengths;
  const isSame = /^\d+$/.test(first) && lengths.every((length) => length === first);
  if (lengths.length < 2 || !isSame) return fields;
  const others = fields.filter((field) => !LENGTH.test(field));
  return [...others, `Content-Length: ${first}`];
}
