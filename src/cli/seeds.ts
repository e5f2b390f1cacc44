/** Seeds of a command line: arguments, then a file or stdin, streamed so that any number fits. */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { seedChunks, type SeedChunk } from '../client/seed-chunks.js';
import { ConfigError } from '../errors.js';
import { commandLine, type CliContext } from './context.js';

/** Seeds in pieces that fit one message each. */
export interface SeedPieces {
  /** Goes into the workflow's input. */
  readonly first: SeedChunk;
  /** Added while the crawl runs already. */
  readonly rest: AsyncIterable<SeedChunk>;
}

/**
 * Read the first piece now, the rest as it is taken.
 *
 * @param given checked seeds of arguments, environment or config file
 * @param file path, `-` for stdin, or undefined for none
 * @throws CONFIG_INVALID_FILE, CONFIG_INVALID_OPTION where there is no seed at all
 */
export async function openSeeds(
  ctx: Pick<CliContext, 'stdin' | 'cwd'>,
  given: readonly string[],
  file: string | undefined,
): Promise<SeedPieces> {
  const chunks = seedChunks(concat(given, file === undefined ? [] : seedLines(ctx, file)));
  const first = await chunks.next();
  if (first.done) {
    throw new ConfigError(
      'CONFIG_INVALID_OPTION',
      file === undefined
        ? `seeds: expected at least one URL, got none; for example ${commandLine(['crawl', 'https://example.com/'])}`
        : `--seeds-file: expected one URL a line, got none in ${file === '-' ? 'stdin' : file}`,
    );
  }
  return { first: first.value, rest: chunks };
}

/** Lines with something on them that are no comments (`#` first); white space around is dropped. */
export async function* parseSeedLines(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const line of lines) {
    const seed = line.replace(/^\uFEFF/, '').trim();
    if (seed !== '' && !seed.startsWith('#')) yield seed;
  }
}

async function* seedLines(
  ctx: Pick<CliContext, 'stdin' | 'cwd'>,
  file: string,
): AsyncGenerator<string, void> {
  const path = resolve(ctx.cwd, file);
  const input: Readable = file === '-' ? ctx.stdin : createReadStream(path);
  // Readline does not hand errors of its input on.
  const failed = new Promise<never>((_resolve, reject) => {
    input.once('error', reject);
  });
  failed.catch(() => undefined);
  const lines = parseSeedLines(createInterface({ input, crlfDelay: Infinity }));
  try {
    for (;;) {
      const step = await Promise.race([lines.next(), failed]);
      if (step.done) return;
      yield step.value;
    }
  } catch (error) {
    throw new ConfigError(
      'CONFIG_INVALID_FILE',
      `--seeds-file: can't read ${file === '-' ? 'stdin' : path} (${(error as Error).message}); name a ` +
        'readable file with one URL a line, or - for stdin',
      { cause: error },
    );
  }
}

async function* concat(
  given: Iterable<string>,
  lines: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string, void> {
  yield* given;
  yield* lines;
}
