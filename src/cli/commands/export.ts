/** `orbweaver export`: exactly one line of JSON per URL on stdout. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { addServerFlags, crawlIdArgument, type CliContext, type ServerFlags } from '../context.js';
import { counted } from '../display/format.js';

interface ExportFlags extends ServerFlags {
  readonly failures?: boolean;
  readonly all?: boolean;
  readonly out?: string;
}

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('export')
      .description("write a crawl's pages to stdout, one line of JSON per URL")
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .addOption(new Option('--failures', 'what failed instead').conflicts('all'))
      .addOption(new Option('--all', 'every outcome: also redirects, skips and failures'))
      .option('--out <dir>', "folder that the crawl's folder is in (default: what the crawl says)"),
  ).action(
    ctx.action(async (crawlId: string, flags: ExportFlags) => {
      await exportCrawl(ctx, crawlId, flags);
    }),
  );
}

async function exportCrawl(ctx: CliContext, crawlId: string, flags: ExportFlags): Promise<void> {
  const dir = await folderOf(ctx, crawlId, flags);
  const { exportRecords } = await import('../../output/export.js');
  const { LineWriter } = await import('../control/line-writer.js');
  const out = new LineWriter(ctx.stdout);
  const select = flags.failures === true ? 'failures' : flags.all === true ? 'all' : 'pages';
  let dropped = 0;
  const records = exportRecords({
    dir,
    select,
    onReport: ({ droppedLines }) => {
      dropped = droppedLines;
    },
  });
  for await (const record of records) {
    if (!(await out.line(JSON.stringify(record)))) break;
  }
  await out.end();
  if (dropped > 0) {
    ctx.say(
      `${counted(dropped, 'torn line')} left out: a process was killed while it wrote; the crawl ` +
        'fetches such a page again',
    );
  }
}

/** Where the records are; a server is asked only when nothing here tells. */
async function folderOf(ctx: CliContext, crawlId: string, flags: ExportFlags): Promise<string> {
  if (flags.out !== undefined) return resolve(ctx.cwd, flags.out, crawlId);
  const here = join(ctx.cwd, 'out', crawlId);
  if (existsSync(here)) return here;
  const { connectEngine } = await import('../engine.js');
  const { RedisFrontier } = await import('../../frontier/redis-frontier.js');
  const { OutputError } = await import('../../errors.js');
  const { dataDir, verbose } = flags;
  const engine = await connectEngine(ctx, { dataDir, verbose, needsServers: false });
  try {
    const { settings, totals } = await new RedisFrontier(engine.redis, crawlId).status();
    const dir = join(settings.out, crawlId);
    if (isAbsolute(dir) && existsSync(dir)) return dir;
    const where = isAbsolute(dir)
      ? `${dir} is not on this machine`
      : `${dir} is relative to the folder of the worker that fetched`;
    const none = totals.fetched + totals.failed === 0 ? ' (it has stored nothing yet)' : '';
    throw new OutputError(
      'OUTPUT_READ',
      `out: ${where}${none}; name the folder that ${crawlId} is in with --out`,
      { details: { crawlId, dir } },
    );
  } finally {
    await engine.close();
  }
}
