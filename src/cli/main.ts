#!/usr/bin/env node
/** Entry point of the command line. */
import { createContext } from './context.js';
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
  throw error;
});
process.stderr.on('error', () => undefined);

await runProgram(ctx, process.argv.slice(2));
process.exitCode = ctx.exitCode;
