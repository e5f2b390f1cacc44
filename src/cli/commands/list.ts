/** `orbweaver list`. */
import type { Command } from 'commander';
import { addServerFlags, type CliContext } from '../context.js';

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program.command('list').description('list the crawls that these servers know'),
  ).action(
    ctx.action(async () => {
      throw new Error('list is being written');
    }),
  );
}
