/** `orbweaver doctor`. */
import type { Command } from 'commander';
import { addServerFlags, type CliContext } from '../context.js';

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program.command('doctor').description('check that everything a crawl needs is there'),
  ).action(
    ctx.action(async () => {
      throw new Error('doctor is being written');
    }),
  );
}
