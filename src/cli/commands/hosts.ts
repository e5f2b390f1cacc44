/** `orbweaver hosts`. */
import type { Command } from 'commander';
import { addServerFlags, crawlIdArgument, type CliContext } from '../context.js';

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('hosts')
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .description('list the hosts of a crawl and why each waits'),
  ).action(
    ctx.action(async () => {
      throw new Error('hosts is being written');
    }),
  );
}
