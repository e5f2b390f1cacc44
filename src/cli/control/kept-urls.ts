/** Commands that list URLs which the crawl keeps aside, and queue them again on demand. */
import type { Command } from 'commander';
import type { CrawlTotals } from '../../contracts/frontier.js';
import type { RedisFrontier } from '../../frontier/redis-frontier.js';
import {
  addServerFlags,
  commandLine,
  crawlIdArgument,
  type CliContext,
  type ServerFlags,
} from '../context.js';
import { counted, formatCount, formatTally } from '../display/format.js';
import type { Engine } from '../engine.js';
import { countArgument } from './count-argument.js';

/** One kind of URLs that are kept aside. */
export interface KeptUrls<Item> {
  readonly command: string;
  readonly description: string;
  /** `no URL of crawl x <what they are>`. */
  readonly state: string;
  /** How many there are. */
  count(totals: CrawlTotals): number;
  read(frontier: RedisFrontier): AsyncIterable<Item>;
  /** What they are counted by, under `groupName`. */
  groupOf(item: Item): string;
  readonly groupName: string;
  textOf(item: Item): string;
  /** Queue so many of them at most. @returns how many */
  requeue(frontier: RedisFrontier, most: number): Promise<number>;
  /** Flags with which a crawl that is over goes on with them, and why. */
  resumeFlags?(settings: { readonly traps: boolean }): { flags: string; why: string };
}

/** URLs read at once. */
export const KEPT_URLS_PAGE = 500;

interface KeptUrlsFlags extends ServerFlags {
  readonly limit?: number;
  readonly requeue?: boolean;
  readonly json?: boolean;
}

/** Register the command that lists and requeues one kind of URLs. */
export function registerKeptUrls<Item>(
  program: Command,
  ctx: CliContext,
  kept: KeptUrls<Item>,
): void {
  addServerFlags(
    program
      .command(kept.command)
      .description(kept.description)
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .option('--limit <count>', 'at most so many URLs (default: all)', countArgument)
      .option('--requeue', 'queue them instead of listing them; repeated, it queues the next ones')
      .option('--json', 'a line of JSON per URL on stdout instead of text; one with --requeue'),
  ).action(
    ctx.action(async (crawlId: string, flags: KeptUrlsFlags) => {
      const { connectEngine } = await import('../engine.js');
      const { dataDir, verbose } = flags;
      const engine = await connectEngine(ctx, { dataDir, verbose, needsServers: false });
      try {
        await (flags.requeue === true ? requeue : list)(ctx, engine, crawlId, flags, kept);
      } finally {
        await engine.close();
      }
    }),
  );
}

async function list<Item>(
  ctx: CliContext,
  engine: Engine,
  crawlId: string,
  { dataDir, limit = Infinity, json }: KeptUrlsFlags,
  kept: KeptUrls<Item>,
): Promise<void> {
  const { RedisFrontier: Frontier } = await import('../../frontier/redis-frontier.js');
  const { openedStatus } = await import('./known-crawl.js');
  const { LineWriter } = await import('./line-writer.js');
  // Refuses an id that nobody knows.
  const { totals } = await openedStatus(engine, crawlId, dataDir);
  const out = new LineWriter(ctx.stdout);
  const groups: Record<string, number> = {};
  let shown = 0;
  for await (const item of kept.read(new Frontier(engine.redis, crawlId))) {
    if (shown >= limit || out.isClosed) break;
    const group = kept.groupOf(item);
    groups[group] = (groups[group] ?? 0) + 1;
    shown += 1;
    await out.line(json === true ? JSON.stringify(item) : kept.textOf(item));
  }
  await out.end();
  if (json === true) return;
  const count = kept.count(totals);
  if (shown < count) ctx.say(`first ${formatCount(shown)} of ${formatCount(count)}`);
  ctx.say(
    shown === 0
      ? `no URL of crawl ${crawlId} ${kept.state}`
      : `by ${kept.groupName}: ${formatTally(groups)}; queue them with: ` +
          commandLine([kept.command, crawlId, '--requeue'], dataDir),
  );
}

async function requeue<Item>(
  ctx: CliContext,
  engine: Engine,
  crawlId: string,
  { dataDir, limit = Infinity, json }: KeptUrlsFlags,
  kept: KeptUrls<Item>,
): Promise<void> {
  const { RedisFrontier: Frontier } = await import('../../frontier/redis-frontier.js');
  const { requeueAll } = await import('../../frontier/requeue.js');
  const { findCrawl, openedStatus } = await import('./known-crawl.js');
  const { totals, settings, state } = await openedStatus(engine, crawlId, dataDir);
  const frontier = new Frontier(engine.redis, crawlId);
  const requeued = await requeueAll(Math.min(limit, kept.count(totals)), (most) =>
    kept.requeue(frontier, most),
  );
  const { isRunning } = await findCrawl(engine, crawlId);
  if (json === true) {
    const left = kept.count((await frontier.status()).totals);
    ctx.print(JSON.stringify({ crawlId, requeued, left, isRunning }));
  }
  if (requeued === 0) {
    ctx.say(`no URL of crawl ${crawlId} ${kept.state}`);
    return;
  }
  const what = `${counted(requeued, 'URL')} queued`;
  if (isRunning && state === 'paused') {
    const unpause = commandLine(['unpause', crawlId], dataDir);
    ctx.say(`${what}; the crawl is paused, go on with: ${unpause}`);
    return;
  }
  if (isRunning) {
    ctx.say(`${what}; the crawl runs and goes on with them`);
    return;
  }
  const resume = commandLine(['resume', crawlId], dataDir);
  const { flags, why } = kept.resumeFlags?.(settings) ?? { flags: '', why: '' };
  ctx.say(`${what}; go on with: ${resume}${flags}${why}`);
}
