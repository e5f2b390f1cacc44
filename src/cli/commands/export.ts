/** `orbweaver export`. */
import type { Command } from 'commander';
import { addServerFlags, crawlIdArgument, type CliContext } from '../context.js';

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('export')
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .description('print one JSON line per URL'),
  ).action(
    ctx.action(async () => {
      throw new Error('export is being written');
    }),
  );
}
