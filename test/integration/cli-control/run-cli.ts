/** The command line in this process, on the shared servers, with its streams kept. */
import { Readable, Writable } from 'node:stream';
import { inject } from 'vitest';
import { createContext } from '../../../src/cli/context.js';
import { runProgram } from '../../../src/cli/program.js';

export interface CliRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Run `orbweaver <args>` in a folder. */
export async function runCli(cwd: string, ...args: string[]): Promise<CliRun> {
  const stdout = collector();
  const stderr = collector();
  const ctx = createContext({
    stdout: stdout.stream,
    stderr: stderr.stream,
    stdin: Readable.from([]),
    env: { TEMPORAL_ADDRESS: inject('temporalAddress'), REDIS_URL: inject('redisUrl') },
    cwd,
  });
  await runProgram(ctx, args);
  return { exitCode: ctx.exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

/** Lines of JSON. */
export function jsonLines<T = Record<string, unknown>>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

function collector() {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}
