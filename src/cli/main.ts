#!/usr/bin/env node
/** Entry point of the command line. */
import { createContext } from './context.js';
import { unwritable } from './control/line-writer.js';
import { EXIT } from './exit-codes.js';
import { runProgram } from './program.js';

const ctx = createContext({
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
});

// `orbweaver export … | head`: the reader has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  // A LineWriter that met it first has said so.
  if (ctx.exitCode !== EXIT.output) ctx.fail(unwritable(error));
  process.exit(ctx.exitCode);
});
process.stderr.on('error', () => undefined);

await runProgram(ctx, process.argv.slice(2));
// What is buffered for a pipe goes out first; nothing else may hold the process, or fail after it.
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
process.exit(ctx.exitCode);

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}
