/** `orbweaver resume`: go on with a crawl whose process ended, or that is over. */
import type { Command } from 'commander';
import type { CrawlStatus } from '../../contracts/frontier.js';
import { CrawlError } from '../../errors.js';
import {
  addServerFlags,
  commandLine,
  crawlIdArgument,
  type CliContext,
  type ServerFlags,
} from '../context.js';
import { formatCount } from '../display/format.js';
import { queuedCount, storedCount } from '../../contracts/totals.js';
import type { ExitCode } from '../exit-codes.js';
import { withInterrupts, type Interrupts } from '../interrupts.js';
import { addOptionFlags, optionsOfFlags } from '../option-flags.js';
import type { SeedChunk } from '../../client/seed-chunks.js';
import type { SeedPieces } from '../seeds.js';
import { addShowFlags } from './crawl.js';

interface ResumeFlags extends ServerFlags {
  readonly seedsFile?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function register(program: Command, ctx: CliContext): void {
  const command = program
    .command('resume')
    .description('go on with a crawl that was interrupted, lost or ended, also under larger limits')
    .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
    .option(
      '--seeds-file <file>',
      'seeds to add, one a line; - reads stdin; known ones change nothing',
    );
  addShowFlags(addServerFlags(addOptionFlags(command, 'adjustable'))).action(
    ctx.action((crawlId: string, flags: ResumeFlags) =>
      withInterrupts((interrupts) => resume(ctx, interrupts, crawlId, flags)),
    ),
  );
}

async function resume(
  ctx: CliContext,
  interrupts: Interrupts,
  crawlId: string,
  flags: ResumeFlags,
): Promise<ExitCode> {
  const { mergeOptions } = await import('../../config/merge.js');
  const { resolveAdjustments } = await import('../../config/resolve.js');
  // Flags only: a config file describes new crawls.
  const given = optionsOfFlags(flags as Readonly<Record<string, unknown>>);
  const { input: options, origins } = mergeOptions({ flags: given });
  resolveAdjustments(options, origins);

  const { openSeeds } = await import('../seeds.js');
  const { seedsFile } = flags;
  const seeds = seedsFile === undefined ? undefined : await openSeeds(ctx, [], seedsFile);

  const quiet = flags.quiet === true;
  let report = (line: string): void => {
    if (!quiet) ctx.say(line);
  };
  const { connectEngine } = await import('../engine.js');
  const { dataDir, verbose } = flags;
  const engine = await connectEngine(ctx, {
    dataDir,
    verbose,
    needsServers: false,
    report: (line) => report(line),
  });
  try {
    const { probeOutputFolder } = await import('../output-folder.js');
    const { findCrawl } = await import('../control/known-crawl.js');
    const { startCrawlWorkflow } = await import('../../client/start-workflow.js');
    const { reachOf } = await import('../reach.js');
    const { runCrawl } = await import('../crawl-run.js');
    const { status, isRunning, taskQueue } = await findCrawl(engine, crawlId);
    if (status) await probeOutputFolder(status.settings.out);
    report(status ? foundLine(status, isRunning) : unopenedLine(crawlId));
    return await runCrawl(ctx, {
      crawlId,
      engine,
      interrupts,
      quiet,
      json: flags.json === true,
      dataDirFlag: dataDir,
      ...(seeds && { moreSeeds: allPieces(seeds) }),
      ...(isRunning && taskQueue !== undefined && { taskQueue }),
      async begin(handle) {
        const { forgetStickyWorkers } = await import('../sticky.js');
        await forgetStickyWorkers(engine, crawlId);
        if (!isRunning) {
          const input = { crawlId, resume: true, options };
          const isOurs = await startCrawlWorkflow(reachOf(engine), input).then(
            () => true,
            refusedAsRunning,
          );
          if (isOurs) return;
          report(`crawl ${crawlId} was resumed elsewhere just now; joining it`);
        }
        if (Object.keys(options).length > 0) await handle.adjust(options);
      },
      showLinesOn: (say) => {
        report = say;
      },
    });
  } finally {
    await engine.close();
  }
}

async function* allPieces({ first, rest }: SeedPieces): AsyncGenerator<SeedChunk, void> {
  yield first;
  yield* rest;
}

/** @returns false where another process was quicker to start the workflow */
function refusedAsRunning(error: unknown): false {
  const isCrawlError = error instanceof CrawlError && error.code === 'FRONTIER_CRAWL_STATE';
  if (isCrawlError && error.details['workflowStatus'] === 'RUNNING') return false;
  throw error;
}

/** A crawl that was started and then left before any worker had seen it. */
export function unopenedLine(crawlId: string): string {
  return `crawl ${crawlId} was started, but no worker has opened it yet; this process does`;
}

/** What was found: `crawl x was running: 12 pages fetched, 40 queued; joining it`. */
export function foundLine(status: CrawlStatus, isRunning: boolean): string {
  const { crawlId, state, totals } = status;
  const counts = `${formatCount(storedCount(totals))} fetched, ${formatCount(queuedCount(totals))} queued`;
  const what = isRunning ? 'its workflow lives; joining it' : 'starting its workflow again';
  const hint =
    state === 'paused' && isRunning ? ` (paused: ${commandLine(['unpause', crawlId])})` : '';
  return `crawl ${crawlId} is ${state}: ${counts}; ${what}${hint}`;
}
