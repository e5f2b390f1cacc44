/** `orbweaver held`: URLs that are held back as crawl traps, each with its rule; and queueing them. */
import { InvalidArgumentError, type Command } from 'commander';
import type { HeldUrl } from '../../contracts/frontier.js';
import {
  addServerFlags,
  commandLine,
  crawlIdArgument,
  type CliContext,
  type ServerFlags,
} from '../context.js';
import { counted, formatCount, formatTally, plain } from '../display/format.js';
import type { Engine } from '../engine.js';

/** URLs read at once. */
const PAGE = 500;

interface HeldFlags extends ServerFlags {
  readonly limit?: number;
  readonly requeue?: boolean;
  readonly json?: boolean;
}

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('held')
      .description('list the URLs that are held back as crawl traps, or queue them after all')
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .option('--limit <count>', 'at most so many URLs (default: all)', parseLimit)
      .option('--requeue', 'queue them instead of listing them; repeated, it queues the next ones')
      .option('--json', 'a line of JSON per URL on stdout instead of text; one with --requeue'),
  ).action(
    ctx.action(async (crawlId: string, flags: HeldFlags) => {
      const { connectEngine } = await import('../engine.js');
      const { dataDir, verbose } = flags;
      const engine = await connectEngine(ctx, { dataDir, verbose, needsServers: false });
      try {
        await (flags.requeue === true ? requeue : list)(ctx, engine, crawlId, flags);
      } finally {
        await engine.close();
      }
    }),
  );
}

async function list(
  ctx: CliContext,
  engine: Engine,
  crawlId: string,
  { dataDir, limit = Infinity, json }: HeldFlags,
): Promise<void> {
  const { RedisFrontier } = await import('../../frontier/redis-frontier.js');
  const { openedStatus } = await import('../control/known-crawl.js');
  const { LineWriter } = await import('../control/line-writer.js');
  // Refuses an id that nobody knows.
  const { totals } = await openedStatus(engine, crawlId, dataDir);
  const frontier = new RedisFrontier(engine.redis, crawlId);
  const out = new LineWriter(ctx.stdout);
  const rules: Record<string, number> = {};
  let shown = 0;
  for (let cursor: string | null = '0'; cursor !== null && shown < limit && !out.isClosed;) {
    const page = await frontier.heldUrls({ cursor, limit: PAGE });
    for (const held of page.urls.slice(0, limit - shown)) {
      rules[held.rule] = (rules[held.rule] ?? 0) + 1;
      shown += 1;
      await out.line(json === true ? JSON.stringify(held) : textOf(held));
    }
    ({ cursor } = page);
  }
  await out.end();
  if (json === true) return;
  if (shown < totals.trapped) {
    ctx.say(`first ${formatCount(shown)} of ${formatCount(totals.trapped)}`);
  }
  ctx.say(
    shown === 0
      ? `no URL of crawl ${crawlId} is held back`
      : `by rule: ${formatTally(rules)}; queue them with: ` +
          commandLine(['held', crawlId, '--requeue'], dataDir),
  );
}

/** `calendar  https://… (found on https://…)`. */
function textOf({ rule, url, via }: HeldUrl): string {
  const found = via === '' ? '' : `  (found on ${plain(via)})`;
  return `${rule.padEnd('maxHostsPerDomain'.length)}  ${plain(url)}${found}`;
}

async function requeue(
  ctx: CliContext,
  engine: Engine,
  crawlId: string,
  { dataDir, limit = Infinity, json }: HeldFlags,
): Promise<void> {
  const { RedisFrontier } = await import('../../frontier/redis-frontier.js');
  const { findCrawl, openedStatus } = await import('../control/known-crawl.js');
  const { totals, settings } = await openedStatus(engine, crawlId, dataDir);
  const frontier = new RedisFrontier(engine.redis, crawlId);
  // Those that are held now: a crawl that runs may hold some of them back again meanwhile.
  const most = Math.min(limit, totals.trapped);
  let requeued = 0;
  while (requeued < most) {
    const count = await frontier.requeueHeld(most - requeued);
    if (count === 0) break;
    requeued += count;
  }
  const { isRunning } = await findCrawl(engine, crawlId);
  if (json === true) {
    const left = (await frontier.status()).totals.trapped;
    ctx.print(JSON.stringify({ crawlId, requeued, left, isRunning }));
  }
  if (requeued === 0) {
    ctx.say(`no URL of crawl ${crawlId} is held back`);
    return;
  }
  const what = `${counted(requeued, 'URL')} queued`;
  if (isRunning) {
    ctx.say(`${what}; the crawl runs and goes on with them`);
    return;
  }
  const traps = settings.traps ? ' --no-traps' : '';
  const resume = commandLine(['resume', crawlId], dataDir);
  const why = traps === '' ? '' : ` (${traps.trim()}: and suspect nothing further)`;
  ctx.say(`${what}; go on with: ${resume}${traps}${why}`);
}

function parseLimit(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('expected a whole number of 1 or more.');
}
