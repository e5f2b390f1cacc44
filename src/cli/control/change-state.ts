/**
 * `pause`, `unpause` and `stop`: the crawl's record in Redis is what every host obeys at its next
 * page, so it is changed there, worker or no worker; the signal only wakes those who wait.
 */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { CrawlState, CrawlStatus } from '../../contracts/frontier.js';
import { crawlWorkflowId } from '../../contracts/workflow-ids.js';
import { FrontierError } from '../../errors.js';
import { RedisFrontier } from '../../frontier/redis-frontier.js';
import { commandSignal } from '../../workflows/messages.js';
import { commandLine, type CliContext, type ServerFlags } from '../context.js';
import { counted, formatCount } from '../display/format.js';
import { queuedCount } from '../../contracts/totals.js';
import { connectEngine, type Engine } from '../engine.js';
import { abandonedLine, isAbandoned } from './engine-life.js';
import { openedStatus } from './known-crawl.js';

/** Hosts reopened by one step. */
const REOPEN_PAGE = 500;

/** What a person may do to a running crawl. */
export type StateCommand = 'pause' | 'unpause' | 'stop';

const TARGETS: Record<StateCommand, CrawlState> = {
  pause: 'paused',
  unpause: 'running',
  stop: 'stopping',
};

/** States from which the command does something; others are refused. */
const FROM: Record<StateCommand, readonly CrawlState[]> = {
  pause: ['running'],
  unpause: ['paused'],
  stop: ['running', 'paused'],
};

/** Flags of these commands. */
export interface StateFlags extends ServerFlags {
  readonly json?: boolean;
}

/**
 * Carry a command out and say what will happen.
 *
 * @throws FRONTIER_CRAWL_NOT_FOUND; FRONTIER_CRAWL_STATE where it can't be done, with the remedy
 */
export async function changeState(
  ctx: CliContext,
  command: StateCommand,
  crawlId: string,
  flags: StateFlags,
): Promise<void> {
  const { dataDir, verbose } = flags;
  const engine = await connectEngine(ctx, { dataDir, verbose, needsServers: false });
  try {
    const frontier = new RedisFrontier(engine.redis, crawlId);
    const before = await openedStatus(engine, crawlId, dataDir);
    const target = TARGETS[command];
    const isDone = before.state === target;
    if (!isDone) {
      if (!FROM[command].includes(before.state)) throw refused(command, before, dataDir);
      await frontier.setState(target, command === 'stop' ? 'stopped' : undefined);
    }
    // Also where it is so already: whoever set it may have been killed before the rest.
    if (command === 'unpause') await reopenHosts(frontier);
    const isTold = await signalParent(engine, command, crawlId);
    const status = await frontier.status();
    const nowMs = Date.now();
    if (flags.json === true) {
      const { state, version } = status;
      const facts = { crawlId, state, version, wasSo: isDone, isTold };
      ctx.print(JSON.stringify({ ...facts, isAbandoned: isAbandoned(status, nowMs) }));
      return;
    }
    ctx.say(outlook(command, status, isDone, dataDir));
    const missing = abandonedLine(status, nowMs, dataDir);
    if (missing !== undefined) ctx.say(missing);
  } finally {
    await engine.close();
  }
}

async function reopenHosts(frontier: RedisFrontier): Promise<void> {
  for (let after: string | null = ''; after !== null;) {
    after = await frontier.reopen({ after, limit: REOPEN_PAGE, overdue: false });
  }
}

/** @returns false where no parent runs */
async function signalParent(
  engine: Engine,
  command: StateCommand,
  crawlId: string,
): Promise<boolean> {
  try {
    const parent = engine.client.workflow.getHandle(crawlWorkflowId(crawlId));
    await parent.signal(commandSignal, { kind: command });
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function refused(command: StateCommand, status: CrawlStatus, dataDir?: string): FrontierError {
  const { crawlId, state } = status;
  const remedy =
    state === 'stopping'
      ? 'it ends as soon as the running pages have; after that resume goes on'
      : state === 'preparing'
        ? 'it has not begun yet; try again in a moment'
        : command === 'unpause' && state === 'running'
          ? 'it runs'
          : `it is over; go on with: ${commandLine(['resume', crawlId], dataDir)}`;
  return new FrontierError(
    'FRONTIER_CRAWL_STATE',
    `crawl "${crawlId}" is ${state}: ${command} does nothing here; ${remedy}`,
    { details: { crawlId, state, command } },
  );
}

/** What happens now. */
function outlook(
  command: StateCommand,
  { crawlId, totals }: CrawlStatus,
  isDone: boolean,
  dataDir?: string,
): string {
  const queued = `${counted(queuedCount(totals), 'URL')} queued`;
  const running = formatCount(totals.leased);
  const already = isDone ? ' already' : '';
  switch (command) {
    case 'pause':
      return (
        `crawl ${crawlId} is paused${already}: pages being fetched end (at most ${running}), nothing ` +
        `new is fetched; ${queued}. Go on with: ${commandLine(['unpause', crawlId], dataDir)}`
      );
    case 'unpause':
      return `crawl ${crawlId} is running${isDone ? ' already' : ' again'}: ${queued}`;
    case 'stop':
      return (
        `crawl ${crawlId} is stopping${already}: pages being fetched end (at most ${running}), then it ` +
        `is over; ${queued} and kept. Go on later with: ${commandLine(['resume', crawlId], dataDir)}`
      );
  }
}
