/** `orbweaver list`: all crawls of this Redis, newest first. */
import type { Command } from 'commander';
import type { CrawlStatus } from '../../contracts/frontier.js';
import { addServerFlags, commandLine, type CliContext, type ServerFlags } from '../context.js';
import { formatCount } from '../display/format.js';
import { queuedCount, storedCount } from '../../contracts/totals.js';

/** Crawls read at once. */
const STEP = 50;

interface ListFlags extends ServerFlags {
  readonly json?: boolean;
}

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('list')
      .description('list all crawls, newest first')
      .option('--json', 'a line of JSON per crawl on stdout instead of text'),
  ).action(
    ctx.action(async (flags: ListFlags) => {
      await showCrawls(ctx, flags);
    }),
  );
}

async function showCrawls(ctx: CliContext, flags: ListFlags): Promise<void> {
  const { connectEngine } = await import('../engine.js');
  const { readCrawlIds } = await import('../../frontier/crawl-directory.js');
  const { RedisFrontier } = await import('../../frontier/redis-frontier.js');
  const { CrawlError } = await import('../../errors.js');
  const { LineWriter } = await import('../control/line-writer.js');
  const { Table } = await import('../control/table.js');
  const { statusJson } = await import('../control/status-text.js');
  const { dataDir, verbose } = flags;
  const engine = await connectEngine(ctx, { dataDir, verbose, needsServers: false });
  try {
    const ids = await readCrawlIds(engine.redis);
    const read = async (crawlId: string): Promise<CrawlStatus | null> => {
      try {
        return await new RedisFrontier(engine.redis, crawlId).status();
      } catch (error) {
        // Its time was over a moment ago.
        if (error instanceof CrawlError && error.code === 'FRONTIER_CRAWL_NOT_FOUND') return null;
        // One damaged record must not hide the other crawls.
        if (error instanceof CrawlError && error.code === 'FRONTIER_CRAWL_DAMAGED') {
          ctx.say(error.message);
          return null;
        }
        throw error;
      }
    };
    const out = new LineWriter(ctx.stdout);
    const table = new Table([
      { title: 'CRAWL', minWidth: 24 },
      { title: 'STATE', minWidth: 9 },
      { title: 'PAGES', align: 'right' },
      { title: 'QUEUED', align: 'right' },
      { title: 'FAILED', align: 'right' },
      { title: 'HOSTS', align: 'right' },
      { title: 'STARTED' },
    ]);
    const { isAbandoned } = await import('../control/engine-life.js');
    const { isoTime } = await import('../control/status-text.js');
    const row = (status: CrawlStatus, nowMs: number): string[] => [
      status.crawlId,
      isAbandoned(status, nowMs) ? `${status.state} (no worker)` : status.state,
      formatCount(storedCount(status.totals)),
      formatCount(queuedCount(status.totals)),
      formatCount(status.totals.failed),
      formatCount(status.totals.hosts),
      isoTime(status.startedAtMs),
    ];
    for (let from = 0; from < ids.length && !out.isClosed; from += STEP) {
      const step = await Promise.all(ids.slice(from, from + STEP).map(read));
      const statuses = step.filter((status) => status !== null);
      const nowMs = Date.now();
      const lines =
        flags.json === true
          ? statuses.map((status) => JSON.stringify(statusJson(status, null, nowMs)))
          : table.lines(statuses.map((status) => row(status, nowMs)));
      for (const line of lines) await out.line(line);
    }
    await out.end();
    if (ids.length === 0)
      ctx.say(`there is no crawl yet; start one with: ${commandLine(['crawl'])} <url>`);
  } finally {
    await engine.close();
  }
}
