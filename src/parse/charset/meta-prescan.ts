/**
 * What `<meta>` says of a body's encoding, before anything is decoded.
 *
 * @see https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding
 */

import { encodingOf } from './encodings.js';

/**
 * The standard's prescan: comments, other tags and their attributes are skipped; script and title are
 * not known to it.
 *
 * @param head first bytes of the body, as latin1
 * @returns name of the encoding, null without a declaration
 */
export function prescanMeta(head: string): string | null {
  let at = 0;
  for (;;) {
    at = head.indexOf('<', at);
    if (at < 0) return null;
    if (head.startsWith('<!--', at)) {
      // The dashes of `<!-->` are both begin and end.
      const end = head.indexOf('-->', at + 2);
      if (end < 0) return null;
      at = end + 3;
    } else if (/^<meta[\t\n\f\r /]/i.test(head.slice(at, at + 6))) {
      const values = new Map<string, string>();
      at = readAttributes(head, at + 6, values);
      const found = at < 0 ? null : metaCharset((name) => values.get(name));
      if (found !== null || at < 0) return found;
    } else if (/^<\/?[a-z]/i.test(head.slice(at, at + 3))) {
      const end = /[\t\n\f\r >]/g;
      end.lastIndex = at;
      const name = end.exec(head);
      if (!name) return null;
      at = readAttributes(head, name.index, new Map());
      if (at < 0) return null;
    } else if (/^<[!/?]/.test(head.slice(at, at + 2))) {
      at = head.indexOf('>', at);
      if (at < 0) return null;
    } else {
      at++;
    }
  }
}

/**
 * Encoding that a `<meta>` element declares: by `charset`, or by `content` with the pragma. UTF-16 can't
 * be meant where this could be read, and x-user-defined means windows-1252.
 */
export function metaCharset(get: (attribute: string) => string | undefined): string | null {
  const charset = get('charset');
  const isPragma = get('http-equiv')?.toLowerCase() === 'content-type';
  const label =
    charset ?? (isPragma ? (charsetOfContent(get('content') ?? '') ?? undefined) : undefined);
  return label === undefined ? null : declarable(encodingOf(label));
}

/** What an encoding means that was declared in ASCII. */
export function declarable(encoding: string | null): string | null {
  if (encoding === 'x-user-defined') return 'windows-1252';
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding;
}

/** @see https://html.spec.whatwg.org/#extracting-character-encodings-from-meta-elements */
function charsetOfContent(content: string): string | null {
  const match =
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|(?!["'])([^\t\n\f\r ;]+))/i.exec(
      content,
    );
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
}

/** Read attributes up to the tag's end; returns its position, -1 when the text ends before. */
function readAttributes(text: string, from: number, values: Map<string, string>): number {
  const attribute =
    /[\t\n\f\r /]*(?:(>)|([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|(?!["'])([^\t\n\f\r >]*)))?)/y;
  attribute.lastIndex = from;
  for (;;) {
    const match = attribute.exec(text);
    if (!match) return -1;
    const [, isEnd, name, double, single, bare] = match;
    if (isEnd !== undefined) return attribute.lastIndex - 1;
    // A quote that is never closed, or a value that the text cuts.
    if (attribute.lastIndex >= text.length) return -1;
    const key = (name ?? '').toLowerCase();
    if (!values.has(key)) values.set(key, double ?? single ?? bare ?? '');
  }
}
