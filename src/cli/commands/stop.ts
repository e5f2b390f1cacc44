/** `orbweaver stop`. */
import type { Command } from 'commander';
import { addServerFlags, crawlIdArgument, type CliContext } from '../context.js';

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('stop')
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .description('end a crawl after its running pages'),
  ).action(
    ctx.action(async () => {
      throw new Error('stop is being written');
    }),
  );
}
