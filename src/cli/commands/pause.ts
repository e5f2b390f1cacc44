/** `orbweaver pause`: a crawl keeps everything and fetches nothing. */
import type { Command } from 'commander';
import type { StateFlags } from '../control/change-state.js';
import { addServerFlags, crawlIdArgument, type CliContext } from '../context.js';

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('pause')
      .description('let running pages end and fetch nothing until unpause')
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .option('--json', 'one line of JSON on stdout instead of text'),
  ).action(
    ctx.action(async (crawlId: string, flags: StateFlags) => {
      const { changeState } = await import('../control/change-state.js');
      await changeState(ctx, 'pause', crawlId, flags);
    }),
  );
}
