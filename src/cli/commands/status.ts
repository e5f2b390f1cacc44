/** `orbweaver status`. */
import type { Command } from 'commander';
import { addServerFlags, crawlIdArgument, type CliContext } from '../context.js';

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('status')
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .description('show the state and the counters of a crawl'),
  ).action(
    ctx.action(async () => {
      throw new Error('status is being written');
    }),
  );
}
