/** The program: every command registers itself; heavy modules load when a command runs. */
import { Command, CommanderError } from 'commander';
import { VERSION } from '../config/version.js';
import type { CliContext } from './context.js';
import { EXIT } from './exit-codes.js';
import { register as registerCrawl } from './commands/crawl.js';
import { register as registerDeadLetters } from './commands/dead-letters.js';
import { register as registerDelete } from './commands/delete.js';
import { register as registerDev } from './commands/dev.js';
import { register as registerDoctor } from './commands/doctor.js';
import { register as registerExplain } from './commands/explain.js';
import { register as registerExport } from './commands/export.js';
import { register as registerHeld } from './commands/held.js';
import { register as registerHosts } from './commands/hosts.js';
import { register as registerInspect } from './commands/inspect.js';
import { register as registerList } from './commands/list.js';
import { register as registerPause } from './commands/pause.js';
import { register as registerResume } from './commands/resume.js';
import { register as registerStatus } from './commands/status.js';
import { register as registerStop } from './commands/stop.js';
import { register as registerUnpause } from './commands/unpause.js';
import { register as registerWorker } from './commands/worker.js';

/** All commands, in the order of --help. */
const REGISTRATIONS: readonly ((program: Command, ctx: CliContext) => void)[] = [
  registerCrawl,
  registerResume,
  registerStatus,
  registerHosts,
  registerHeld,
  registerDeadLetters,
  registerExplain,
  registerList,
  registerPause,
  registerUnpause,
  registerStop,
  registerExport,
  registerDelete,
  registerInspect,
  registerWorker,
  registerDev,
  registerDoctor,
];

/** The commander program over a context; run it with {@link runProgram}. */
export function buildProgram(ctx: CliContext): Command {
  const program = new Command('orbweaver')
    .description('A crawl engine for crawls that cannot be lost.')
    .version(VERSION, '-V, --version')
    .showHelpAfterError('(--help lists what there is)')
    .addHelpText('after', '\nDocumentation: docs/cli.md, docs/options.md')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void ctx.stdout.write(text),
      writeErr: (text) => void ctx.stderr.write(text),
    });
  for (const register of REGISTRATIONS) register(program, ctx);
  return program;
}

/**
 * Parse arguments and run the command; never throws, sets `ctx.exitCode`.
 *
 * @param args without node and script
 */
export async function runProgram(ctx: CliContext, args: readonly string[]): Promise<void> {
  try {
    await buildProgram(ctx).parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      ctx.fail(error);
      return;
    }
    // Commander has said it; help and version are no mistakes.
    const isAsked = ['commander.helpDisplayed', 'commander.version'].includes(error.code);
    ctx.exitCode = isAsked || error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}
