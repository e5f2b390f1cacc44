/** `orbweaver crawl`: start a crawl and see it through. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { newCrawlId, parseCrawlId } from '../../config/crawl-id.js';
import { CrawlError, FrontierError } from '../../errors.js';
import type { CliContext, ServerFlags } from '../context.js';
import { addServerFlags, commandLine } from '../context.js';
import type { Engine } from '../engine.js';
import type { ExitCode } from '../exit-codes.js';
import { withInterrupts, type Interrupts } from '../interrupts.js';
import { addOptionFlags } from '../option-flags.js';

interface CrawlFlags extends ServerFlags {
  readonly seedsFile?: string;
  readonly crawlId?: string;
  readonly config?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Flags that `crawl` and `resume` share: how the run is shown. */
export function addShowFlags(command: Command): Command {
  return command
    .option('--json', 'print one last line of JSON on stdout, everything else on stderr')
    .option('--quiet', 'show nothing but errors');
}

export function register(program: Command, ctx: CliContext): void {
  const command = program
    .command('crawl')
    .description('crawl from seeds, with servers of its own where none are named')
    .argument('[seed...]', 'absolute http or https URLs')
    .option('--seeds-file <file>', 'more seeds, one a line; - reads stdin')
    .option('--crawl-id <id>', 'name of the crawl (default: host and time)')
    .option('--config <file>', 'config file to read instead of searching for one');
  addShowFlags(addServerFlags(addOptionFlags(command, 'all'))).action(
    ctx.action((seeds: string[], flags: CrawlFlags) =>
      withInterrupts((interrupts) => crawl(ctx, interrupts, seeds, flags)),
    ),
  );
}

async function crawl(
  ctx: CliContext,
  interrupts: Interrupts,
  given: readonly string[],
  flags: CrawlFlags,
): Promise<ExitCode> {
  const { gatherCrawlOptions, crawlNotices } = await import('../crawl-options.js');
  const { openSeeds } = await import('../seeds.js');
  const { probeOutputFolder } = await import('../output-folder.js');
  const { config, seedsFile } = flags;
  const values = flags as Readonly<Record<string, unknown>>;
  const asked = await gatherCrawlOptions(ctx, { seeds: given, config, seedsFile, values });
  const named = flags.crawlId === undefined ? undefined : parseCrawlId(flags.crawlId);
  const seeds = await openSeeds(ctx, asked.seeds, seedsFile);
  const crawlId = named ?? newCrawlId(seeds.first.seeds[0] ?? '', new Date());
  const quiet = flags.quiet === true;
  let report = (line: string): void => {
    if (!quiet) ctx.say(line);
  };
  for (const notice of crawlNotices(asked.settings)) report(`note: ${notice}`);
  // Else every page would be fetched and waited for in vain, for ever.
  await probeOutputFolder(asked.settings.out);

  const { connectEngine } = await import('../engine.js');
  const { dataDir, verbose } = flags;
  const engine = await connectEngine(ctx, {
    dataDir,
    verbose,
    needsServers: true,
    report: (line) => report(line),
  });
  try {
    if (named !== undefined) {
      await refuseKnown(engine, crawlId, dataDir);
      await refuseOldOutput(asked.settings.out, crawlId);
    }
    if (!engine.isEmbedded) {
      const { requireFitRedis } = await import('../redis-fitness.js');
      await requireFitRedis(engine, asked.settings, (line) => report(line));
    }
    const { runCrawl } = await import('../crawl-run.js');
    const { startCrawlWorkflow } = await import('../../client/start-workflow.js');
    const { reachOf } = await import('../reach.js');
    return await runCrawl(ctx, {
      crawlId,
      engine,
      interrupts,
      quiet,
      json: flags.json === true,
      dataDirFlag: dataDir,
      moreSeeds: seeds.rest,
      begin: () =>
        startCrawlWorkflow(reachOf(engine), {
          crawlId,
          seeds: seeds.first.seeds,
          options: asked.options,
          ...(seeds.first.hasMore && { moreSeeds: true }),
        }).catch((error: unknown) => {
          throw withResume(error, crawlId, dataDir);
        }),
      showLinesOn: (say) => {
        report = say;
      },
    });
  } finally {
    await engine.close();
  }
}

async function refuseKnown(engine: Engine, crawlId: string, dataDir?: string): Promise<void> {
  const { RedisFrontier } = await import('../../frontier/redis-frontier.js');
  try {
    await new RedisFrontier(engine.redis, crawlId).status();
  } catch (error) {
    if (error instanceof CrawlError && error.code === 'FRONTIER_CRAWL_NOT_FOUND') return;
    throw error;
  }
  throw crawlExists(crawlId, dataDir);
}

/** Records of an earlier crawl of that name would be exported along with this one's. */
async function refuseOldOutput(out: string, crawlId: string): Promise<void> {
  const { listSegments } = await import('../../output/segments.js');
  const folder = join(out, crawlId);
  const segments = await listSegments(folder).catch(() => []);
  if (segments.length === 0) return;
  throw new FrontierError(
    'FRONTIER_CRAWL_EXISTS',
    `--crawl-id: "${crawlId}" has output of an earlier crawl in ${folder}; ` +
      'move or remove that folder, or choose another id or --out',
  );
}

function withResume(error: unknown, crawlId: string, dataDir?: string): unknown {
  const isKnown = error instanceof CrawlError && error.code === 'FRONTIER_CRAWL_EXISTS';
  return isKnown ? crawlExists(crawlId, dataDir) : error;
}

function crawlExists(crawlId: string, dataDir?: string): FrontierError {
  return new FrontierError(
    'FRONTIER_CRAWL_EXISTS',
    `--crawl-id: "${crawlId}" exists already; go on with it (${commandLine(['resume', crawlId], dataDir)}), ` +
      `delete it (${commandLine(['delete', crawlId], dataDir)}), or choose another id`,
  );
}
