/** What every command is given: streams, environment, and the one way to fail. */
import type { Readable, Writable } from 'node:stream';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { CrawlError } from '../errors.js';
import { parseCrawlId } from '../config/crawl-id.js';
import { EXIT, exitCodeOf, type ExitCode } from './exit-codes.js';
import { invocation } from './invocation.js';

/** A stream that may be a terminal. */
export type CliStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** What a command needs of its process. */
export interface CliContext {
  /** For results only: what a script reads. */
  readonly stdout: CliStream;
  /** For everything said to people. */
  readonly stderr: CliStream;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** stderr is a terminal: live displays and colours are welcome. */
  readonly isTty: boolean;
  /** The code that the process ends with; the last one set wins. */
  exitCode: ExitCode;
  /** A line on stdout. */
  print(line: string): void;
  /** A line on stderr. */
  say(line: string): void;
  /** Say an error in its own words (with its stack under ORBWEAVER_DEBUG) and set the exit code. */
  fail(error: unknown): void;
  /** Wrap a command's action: its errors are said, what it returns becomes the exit code. */
  action<A extends unknown[]>(
    act: (...args: A) => Promise<ExitCode | void>,
  ): (...args: A) => Promise<void>;
}

/** Options that every command has which touches servers. */
export interface ServerFlags {
  readonly dataDir?: string;
  readonly verbose?: boolean;
}

/** A context over real or test streams. */
export function createContext(
  io: Pick<CliContext, 'stdout' | 'stderr' | 'stdin' | 'env' | 'cwd'>,
): CliContext {
  const context: CliContext = {
    ...io,
    isTty: io.stderr.isTTY === true && io.env['TERM'] !== 'dumb',
    exitCode: EXIT.ok,
    print: (line) => void io.stdout.write(`${line}\n`),
    say: (line) => void io.stderr.write(`${line}\n`),
    fail(error) {
      context.say(describeError(error, isSet(io.env['ORBWEAVER_DEBUG'])));
      context.exitCode = exitCodeOf(codeOf(error));
    },
    action:
      (act) =>
      async (...args) => {
        try {
          const code = await act(...args);
          if (code !== undefined) context.exitCode = code;
        } catch (error) {
          context.fail(error);
        }
      },
  };
  return context;
}

/** Add `--data-dir` and `--verbose`. */
export function addServerFlags(command: Command): Command {
  return command
    .option(
      '--data-dir <dir>',
      'folder of the servers that orbweaver starts itself (default: .orbweaver)',
    )
    .option('--verbose', "show the Temporal SDK's warnings on stderr");
}

/** Where the embedded servers live: flag, ORBWEAVER_DATA_DIR, else `.orbweaver` in `cwd`. */
export function dataDirOf(ctx: Pick<CliContext, 'env' | 'cwd'>, dataDir?: string): string {
  const fromEnv = ctx.env['ORBWEAVER_DATA_DIR'];
  if (dataDir !== undefined) return resolve(ctx.cwd, dataDir);
  return isSet(fromEnv) ? resolve(ctx.cwd, fromEnv) : join(ctx.cwd, '.orbweaver');
}

/**
 * `orbweaver <words>` as this run was called (see {@link invocation}), with --data-dir where it was
 * given one: what a person may paste.
 */
export function commandLine(
  words: readonly string[],
  dataDir?: string,
  env: CliContext['env'] = process.env,
): string {
  const where = dataDir === undefined ? [] : ['--data-dir', dataDir];
  return [...invocation(env), ...words, ...where].map(shellWord).join(' ');
}

/** Argument parser for `<crawlId>`. @throws CONFIG_INVALID_OPTION */
export const crawlIdArgument = (value: string): string => parseCrawlId(value);

/** The code of an error: that of a CrawlError, or the type of the failure at the root of one. */
export function codeOf(error: unknown): string | undefined {
  let code: string | undefined;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof CrawlError) return cause.code;
    const { type } = cause as { type?: unknown };
    if (typeof type === 'string' && /^[A-Z]+_[A-Z_]+$/.test(type)) code = type;
  }
  return code;
}

function describeError(error: unknown, withStack: boolean): string {
  if (!(error instanceof Error)) return `Error: ${String(error)}`;
  if (withStack) return error.stack ?? error.message;
  if (codeOf(error) !== undefined) return rootOf(error).message;
  return `Unexpected error: ${error.message} (ORBWEAVER_DEBUG=1 shows where)`;
}

/** The error that says what happened: failures of Temporal wrap it. */
function rootOf(error: Error): Error {
  let root = error;
  while (!(root instanceof CrawlError) && root.cause instanceof Error) root = root.cause;
  return root;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
