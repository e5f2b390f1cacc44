/** `orbweaver crawl`. */
import type { Command } from 'commander';
import { addServerFlags, type CliContext } from '../context.js';

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(program.command('crawl').description('crawl from seeds')).action(
    ctx.action(async () => {
      throw new Error('crawl is being written');
    }),
  );
}
