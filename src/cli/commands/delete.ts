/** `orbweaver delete`: remove a crawl's frontier and, where asked, its output. */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Command } from 'commander';
import { addServerFlags, crawlIdArgument, type CliContext, type ServerFlags } from '../context.js';
import { counted, formatBytes } from '../display/format.js';
import { queuedCount } from '../../contracts/totals.js';

interface DeleteFlags extends ServerFlags {
  readonly output?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** What `--json` says of a crawl that no worker had opened: its workflow alone was there. */
const NOTHING_YET = { hosts: 0, discovered: 0, queued: 0, terminated: 1, folder: null };

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('delete')
      .description('remove a crawl that is over; its output stays unless --output is given')
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .option('--output', "remove the crawl's folder too")
      .option('--force', 'also one that runs: it is ended first')
      .option('--json', 'one line of JSON on stdout instead of text'),
  ).action(
    ctx.action(async (crawlId: string, flags: DeleteFlags) => {
      await deleteCrawl(ctx, crawlId, flags);
    }),
  );
}

async function deleteCrawl(ctx: CliContext, crawlId: string, flags: DeleteFlags): Promise<void> {
  const { connectEngine } = await import('../engine.js');
  const { RedisFrontier } = await import('../../frontier/redis-frontier.js');
  const { endUnopened, endWorkflows, refuseRunning, removeFolder } =
    await import('../control/delete-crawl.js');
  const { findCrawl, openedStatus } = await import('../control/known-crawl.js');
  const { dataDir, verbose } = flags;
  const engine = await connectEngine(ctx, { dataDir, verbose, needsServers: false });
  try {
    const frontier = new RedisFrontier(engine.redis, crawlId);
    const { status } =
      flags.force === true
        ? await findCrawl(engine, crawlId)
        : { status: await openedStatus(engine, crawlId, dataDir) };
    if (status === null) {
      await endUnopened(engine, crawlId);
      if (flags.json === true) ctx.print(JSON.stringify({ crawlId, ...NOTHING_YET }));
      else ctx.say(`removed crawl ${crawlId}, which no worker had opened yet`);
      return;
    }
    if (flags.force !== true) await refuseRunning(engine, status, dataDir);
    const terminated = await endWorkflows(engine, status);
    await frontier.delete();
    const { hosts, discovered } = status.totals;
    const dir = join(status.settings.out, crawlId);
    // A relative folder belongs to the worker that fetched: never guess what to remove.
    const removed = flags.output === true && isAbsolute(dir) ? await removeFolder(dir) : null;
    if (flags.json === true) {
      const facts = { crawlId, hosts, discovered, queued: queuedCount(status.totals), terminated };
      ctx.print(JSON.stringify({ ...facts, folder: removed }));
      return;
    }
    const ended = terminated > 0 ? `; ${counted(terminated, 'workflow')} terminated` : '';
    ctx.say(
      `removed crawl ${crawlId} from Redis (${counted(discovered, 'URL')} of ` +
        `${counted(hosts, 'host')}, ${counted(queuedCount(status.totals), 'URL')} still queued)${ended}`,
    );
    if (removed !== null) {
      const { files, bytes } = removed;
      ctx.say(`removed ${dir} (${counted(files, 'file')}, ${formatBytes(bytes)})`);
    } else if (flags.output === true) {
      ctx.say(
        isAbsolute(dir)
          ? `there was no ${dir} on this machine`
          : `its output, ${dir} where the worker was started, is not removed from here`,
      );
    } else if (isAbsolute(dir) && existsSync(dir)) {
      ctx.say(`its output stays in ${dir}`);
    }
  } finally {
    await engine.close();
  }
}
