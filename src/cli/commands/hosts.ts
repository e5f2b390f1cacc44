/** `orbweaver hosts`: every host of a crawl, what it did and why it does not go on now. */
import { InvalidArgumentError, type Command } from 'commander';
import type { HostStateName, HostStatus } from '../../contracts/frontier.js';
import { addServerFlags, crawlIdArgument, type CliContext, type ServerFlags } from '../context.js';
import { countArgument } from '../control/count-argument.js';
import { fit, formatCount, plain } from '../display/format.js';
import { whyNotYet } from '../display/host-lines.js';

/** Hosts read at once: a crawl of a hundred thousand must not fill the memory. */
const PAGE = 500;
const NAME_CELLS = 48;

const STATES: Record<HostStateName, true> = {
  pending: true,
  nominated: true,
  active: true,
  waiting: true,
  idle: true,
  paused: true,
  blocked: true,
  exhausted: true,
};

interface HostsFlags extends ServerFlags {
  readonly state?: HostStateName;
  readonly limit?: number;
  readonly json?: boolean;
}

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('hosts')
      .description('list the hosts of a crawl, sorted by name, and why each waits')
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .option(
        '--state <state>',
        `only hosts that are ${Object.keys(STATES).join(', ')}`,
        parseState,
      )
      .option('--limit <count>', 'at most so many hosts (default: all)', countArgument)
      .option('--json', 'a line of JSON per host on stdout instead of text'),
  ).action(
    ctx.action(async (crawlId: string, flags: HostsFlags) => {
      await showHosts(ctx, crawlId, flags);
    }),
  );
}

async function showHosts(ctx: CliContext, crawlId: string, flags: HostsFlags): Promise<void> {
  const { connectEngine } = await import('../engine.js');
  const { RedisFrontier } = await import('../../frontier/redis-frontier.js');
  const { openedStatus } = await import('../control/known-crawl.js');
  const { LineWriter } = await import('../control/line-writer.js');
  const { Table } = await import('../control/table.js');
  const { dataDir, verbose } = flags;
  const engine = await connectEngine(ctx, { dataDir, verbose, needsServers: false });
  try {
    const frontier = new RedisFrontier(engine.redis, crawlId);
    // Refuses an id that nobody knows.
    const { totals } = await openedStatus(engine, crawlId, dataDir);
    const out = new LineWriter(ctx.stdout);
    const table = new Table([
      { title: 'HOST', minWidth: 24 },
      { title: 'STATE', minWidth: 9 },
      { title: 'FETCHED', align: 'right' },
      { title: 'QUEUED', align: 'right' },
      { title: 'FAILED', align: 'right' },
      { title: 'NEXT' },
    ]);
    const limit = flags.limit ?? Infinity;
    let shown = 0;
    let isMore = false;
    for (let after = ''; !isMore && !out.isClosed;) {
      const page = await frontier.hosts({ after, limit: PAGE });
      const found = page.filter(({ state }) => flags.state === undefined || state === flags.state);
      const taken = found.slice(0, limit - shown);
      isMore = taken.length < found.length;
      shown += taken.length;
      const nowMs = Date.now();
      const lines =
        flags.json === true
          ? taken.map((host) => JSON.stringify(host))
          : table.lines(taken.map((host) => row(host, nowMs)));
      for (const line of lines) await out.line(line);
      after = page.at(-1)?.hostKey ?? '';
      if (page.length < PAGE) break;
    }
    await out.end();
    if (isMore)
      ctx.say(`first ${formatCount(shown)}; the crawl has ${formatCount(totals.hosts)} hosts`);
  } finally {
    await engine.close();
  }
}

function row(host: HostStatus, nowMs: number): string[] {
  const next = host.state === 'idle' && host.reason === null ? '' : whyNotYet(host, nowMs);
  return [
    fit(plain(host.hostKey), NAME_CELLS),
    host.state,
    formatCount(host.fetched),
    formatCount(host.queued),
    formatCount(host.failed),
    // The state stands beside it already.
    next === host.state ? plain(host.leasedUrl ?? '') : next.replace(`${host.state}: `, ''),
  ];
}

function parseState(value: string): HostStateName {
  if (Object.hasOwn(STATES, value)) return value as HostStateName;
  throw new InvalidArgumentError(`expected one of ${Object.keys(STATES).join(', ')}.`);
}
