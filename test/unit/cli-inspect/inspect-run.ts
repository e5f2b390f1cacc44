/** `orbweaver inspect` in this process, with its streams kept. */
import { Readable, Writable } from 'node:stream';
import { createContext } from '../../../src/cli/context.js';
import { runProgram } from '../../../src/cli/program.js';

export interface InspectRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param input what stdin gives, piece by piece */
export async function runInspectCli(
  args: readonly string[],
  input: readonly (string | Buffer)[] = [],
  cwd = '/',
): Promise<InspectRun> {
  const out: string[] = [];
  const err: string[] = [];
  const ctx = createContext({
    stdout: collector(out),
    stderr: collector(err),
    stdin: Readable.from(
      input.map((piece) => Buffer.from(piece)),
      { objectMode: false },
    ),
    env: {},
    cwd,
  });
  await runProgram(ctx, ['inspect', ...args]);
  return { exitCode: ctx.exitCode, stdout: out.join(''), stderr: err.join('') };
}

/** Answers to requests, given as one JSON object a line. */
export async function answersTo(
  kind: string,
  requests: readonly unknown[],
  ...flags: string[]
): Promise<Record<string, unknown>[]> {
  const lines = requests.map((request) => `${JSON.stringify(request)}\n`);
  const { stdout } = await runInspectCli([kind, '--stdin', ...flags], lines);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function collector(chunks: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      done();
    },
  });
}
