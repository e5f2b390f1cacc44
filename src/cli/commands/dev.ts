/** `orbweaver dev`. */
import type { Command } from 'commander';
import { addServerFlags, type CliContext } from '../context.js';

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(program.command('dev').description('run only the servers')).action(
    ctx.action(async () => {
      throw new Error('dev is being written');
    }),
  );
}
