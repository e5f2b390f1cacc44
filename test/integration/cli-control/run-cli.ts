/** The command line in this process, on the shared servers, with its streams kept. */
import { Readable, Writable } from 'node:stream';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createContext } from '../../../src/cli/context.js';
import { runProgram } from '../../../src/cli/program.js';
import { spawnCli, type CliProcess } from '../../support/chaos.js';

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

/** `orbweaver <args>` as a process in a folder: for commands that bring workers of their own. */
export function startProcess(cwd: string, ...args: string[]): CliProcess {
  return spawnCli(args, {
    command: [
      ...([process.execPath, '--import', import.meta.resolve('tsx')] as const),
      join(process.cwd(), 'src/cli/main.ts'),
    ],
    cwd,
    env: { TEMPORAL_ADDRESS: inject('temporalAddress'), REDIS_URL: inject('redisUrl') },
  });
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
