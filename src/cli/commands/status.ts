/** `orbweaver status`: state and counters of a crawl, once or until it is over. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { CrawlStatus } from '../../contracts/frontier.js';
import { addServerFlags, crawlIdArgument, type CliContext, type ServerFlags } from '../context.js';
import type { Rates } from '../display/snapshot.js';

/** Looks while watching; piped, a block of text each is too much. */
const TERMINAL_EVERY_MS = 1000;
const PIPED_EVERY_MS = 10_000;

interface StatusFlags extends ServerFlags {
  readonly watch?: boolean;
  readonly json?: boolean;
}

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('status')
      .description('show state and counters of a crawl')
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .option('--watch', 'show them anew until the crawl is over')
      .option('--json', 'a line of JSON on stdout instead of text'),
  ).action(
    ctx.action(async (crawlId: string, flags: StatusFlags) => {
      await showStatus(ctx, crawlId, flags);
    }),
  );
}

async function showStatus(ctx: CliContext, crawlId: string, flags: StatusFlags): Promise<void> {
  const { connectEngine } = await import('../engine.js');
  const { openedStatus } = await import('../control/known-crawl.js');
  const { FINAL_STATES } = await import('../../frontier/crawl-directory.js');
  const { averageRates, statusJson, statusLines } = await import('../control/status-text.js');
  const { RateMeter } = await import('../display/snapshot.js');
  const { dataDir, verbose } = flags;
  const engine = await connectEngine(ctx, { dataDir, verbose, needsServers: false });
  try {
    const meter = new RateMeter();
    const show = await presenter(ctx, flags.watch === true);
    let looks = 0;
    for (;;) {
      const status = await openedStatus(engine, crawlId, dataDir);
      const atMs = Date.now();
      const measured = meter.add({ atMs, status });
      // One look tells an average; not of a crawl whose counters are older than its last start.
      const wasResumed = status.startedAtMs - status.createdAtMs > TERMINAL_EVERY_MS;
      const average = wasResumed ? null : averageRates(status, atMs);
      const rates: Rates | null = looks > 0 ? measured : average;
      looks += 1;
      if (flags.json === true) ctx.print(JSON.stringify(statusJson(status, rates, atMs)));
      else show.lines(statusLines(status, rates, atMs, dataDir));
      if (flags.watch !== true || isOver(status, FINAL_STATES)) break;
      await delay(show.everyMs);
    }
    show.done();
  } finally {
    await engine.close();
  }
}

function isOver({ state }: CrawlStatus, finalStates: readonly string[]): boolean {
  return finalStates.includes(state);
}

/** On a terminal the lines are drawn over; in a pipe they follow each other. */
async function presenter(
  ctx: CliContext,
  watches: boolean,
): Promise<{ lines(lines: readonly string[]): void; done(): void; everyMs: number }> {
  if (watches && ctx.stdout.isTTY === true) {
    const { createLogUpdate } = await import('log-update');
    const update = createLogUpdate(ctx.stdout as NodeJS.WriteStream);
    return {
      lines: (lines) => update(lines.join('\n')),
      done: () => update.done(),
      everyMs: TERMINAL_EVERY_MS,
    };
  }
  return {
    lines: (lines) => {
      for (const line of lines) ctx.print(line);
      if (watches) ctx.print('');
    },
    done: () => {},
    everyMs: PIPED_EVERY_MS,
  };
}
