/** The document that somebody wants inspected: a file, or stdin. */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../../errors.js';
import type { CliContext } from '../context.js';
import { formatBytes } from '../display/format.js';

/** Bytes read at most: more than any document from which the crawl takes something. */
const MAX_BYTES = 256 * 1024 ** 2;

/**
 * Its bytes.
 *
 * @param file path, or `-` for stdin
 * @throws CONFIG_INVALID_FILE
 */
export async function readInput(
  ctx: Pick<CliContext, 'stdin' | 'cwd'>,
  file: string,
): Promise<Buffer> {
  if (file === '') {
    throw new ConfigError(
      'CONFIG_INVALID_FILE',
      'file: "" is no path; name a file, or - for stdin',
    );
  }
  const input = file === '-' ? ctx.stdin : createReadStream(resolve(ctx.cwd, file));
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of input as AsyncIterable<Buffer | string>) {
      const part = Buffer.from(piece);
      length += part.length;
      if (length > MAX_BYTES) throw new Error(`it is larger than ${formatBytes(MAX_BYTES)}`);
      parts.push(part);
    }
  } catch (cause) {
    throw new ConfigError(
      'CONFIG_INVALID_FILE',
      `${file === '-' ? 'stdin' : file}: can't be read, ${(cause as Error).message}; name a file that can, or - for stdin`,
      { cause },
    );
  }
  return Buffer.concat(parts);
}
