/** Setting a Redis back by cutting the end of its append-only file off, as a power cut does. */
import { readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** The file that is appended to now. */
export function appendFile(dir: string): string {
  const folder = join(dir, 'appendonlydir');
  const manifest = readFileSync(join(folder, readdirSync(folder).find(isManifest)!), 'utf8');
  const names = [...manifest.matchAll(/^file (\S+) seq \d+ type i/gm)].map((match) => match[1]!);
  return join(folder, names.at(-1)!);
}

const isManifest = (name: string): boolean => name.endsWith('.manifest');

/** Bytes written so far. */
export const appendedBytes = (dir: string): number => statSync(appendFile(dir)).size;

/**
 * Cut the file at the last boundary of a command at or before `bytes`. Redis drops a transaction
 * that lost its end by itself, so a script is kept whole or not at all.
 *
 * @returns bytes that were cut off
 */
export function truncateAppendFile(dir: string, bytes: number): number {
  const file = appendFile(dir);
  const content = readFileSync(file);
  let at = 0;
  let boundary = 0;
  while (at < content.length && at <= bytes) {
    boundary = at;
    at = endOfCommand(content, at);
  }
  truncateSync(file, boundary);
  return content.length - boundary;
}

/** A command is `*<n>` and n times `$<length>`, bytes; annotations are lines that start with `#`. */
function endOfCommand(content: Buffer, start: number): number {
  const line = (from: number): [string, number] => {
    const end = content.indexOf('\r\n', from);
    if (end < 0) return ['', content.length];
    return [content.toString('latin1', from, end), end + 2];
  };
  let [head, at] = line(start);
  if (head.startsWith('#')) return at;
  let parts = Number(head.slice(1));
  for (; parts > 0 && at < content.length; parts -= 1) {
    [head, at] = line(at);
    at += Number(head.slice(1)) + 2;
  }
  return at;
}
