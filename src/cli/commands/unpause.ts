/** `orbweaver unpause`. */
import type { Command } from 'commander';
import { addServerFlags, crawlIdArgument, type CliContext } from '../context.js';

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('unpause')
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .description('let a paused crawl go on'),
  ).action(
    ctx.action(async () => {
      throw new Error('unpause is being written');
    }),
  );
}
