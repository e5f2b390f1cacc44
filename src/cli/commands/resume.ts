/** `orbweaver resume`. */
import type { Command } from 'commander';
import { addServerFlags, crawlIdArgument, type CliContext } from '../context.js';

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('resume')
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .description('go on with a crawl that was interrupted or lost'),
  ).action(
    ctx.action(async () => {
      throw new Error('resume is being written');
    }),
  );
}
