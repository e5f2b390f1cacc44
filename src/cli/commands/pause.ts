/** `orbweaver pause`. */
import type { Command } from 'commander';
import { addServerFlags, crawlIdArgument, type CliContext } from '../context.js';

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('pause')
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .description('pause a crawl'),
  ).action(
    ctx.action(async () => {
      throw new Error('pause is being written');
    }),
  );
}
