/** `orbweaver worker`. */
import type { Command } from 'commander';
import { addServerFlags, type CliContext } from '../context.js';

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(program.command('worker').description('serve crawls of these servers')).action(
    ctx.action(async () => {
      throw new Error('worker is being written');
    }),
  );
}
