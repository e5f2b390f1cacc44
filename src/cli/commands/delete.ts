/** `orbweaver delete`. */
import type { Command } from 'commander';
import { addServerFlags, crawlIdArgument, type CliContext } from '../context.js';

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('delete')
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .description('remove a crawl that is over'),
  ).action(
    ctx.action(async () => {
      throw new Error('delete is being written');
    }),
  );
}
