/** `orbweaver doctor`: is everything there that a crawl needs? */
import type { Command } from 'commander';
import { addServerFlags, type CliContext, type ServerFlags } from '../context.js';
import type { Check } from '../doctor-checks.js';
import { EXIT, type ExitCode } from '../exit-codes.js';

interface DoctorFlags extends ServerFlags {
  readonly out?: string;
  readonly json?: boolean;
}

export function register(program: Command, ctx: CliContext): void {
  const command = program
    .command('doctor')
    .description('check that everything a crawl needs is there; exit code 0 only then')
    .option('--out <dir>', 'folder of the output that is checked (default: out)')
    .option('--json', 'print {fit, checks} as one line of JSON');
  addServerFlags(command).action(ctx.action((flags: DoctorFlags) => examine(ctx, flags)));
}

async function examine(ctx: CliContext, flags: DoctorFlags): Promise<ExitCode> {
  const { runChecks } = await import('../doctor-checks.js');
  const checks = await runChecks(ctx, flags);
  const fit = checks.every(({ status }) => status !== 'fail');
  if (flags.json) ctx.print(JSON.stringify({ fit, checks }));
  else {
    for (const line of checkLines(checks)) ctx.print(line);
    ctx.print(fit ? 'fit to crawl' : 'not fit to crawl');
  }
  return fit ? EXIT.ok : EXIT.servers;
}

/** A table with a line per check, and below those that are not well what to do. Pure. */
export function checkLines(checks: readonly Check[]): string[] {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks.flatMap(({ name, status, detail, remedy }) => [
    `${status.padEnd(4)}  ${name.padEnd(width)}  ${detail}`,
    ...(remedy === undefined ? [] : [`      ${' '.repeat(width)}  → ${remedy}`]),
  ]);
}
