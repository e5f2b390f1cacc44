/** A crawl run from this process: workers, display, the wait for its end, and what is said then. */
import { setTimeout as delay } from 'node:timers/promises';
import { CrawlHandle } from '../client/crawl-handle.js';
import type { CrawlResult } from '../contracts/crawl.js';
import { DEFAULT_TASK_QUEUE } from '../contracts/task-queues.js';
import { crawlWorkflowId } from '../contracts/workflow-ids.js';
import { CrawlError, FrontierError } from '../errors.js';
import { sweepExpired } from '../frontier/crawl-directory.js';
import { RedisFrontier } from '../frontier/redis-frontier.js';
import type { RunningWorkers } from '../workers/start-workers.js';
import { commandLine, type CliContext } from './context.js';
import { createDisplay, type Display } from './display/display.js';
import { keptLine, tellEnd } from './crawl-end.js';
import { workflowUrl, type Engine } from './engine.js';
import type { ExitCode } from './exit-codes.js';
import type { Interrupts } from './interrupts.js';
import { reachOf } from './reach.js';
import type { SeedPieces } from './seeds.js';
import { troubleTeller } from './trouble.js';
import { awaitResult, feedDisplay } from './watch-crawl.js';
import { countLeftRunning, otherRunningCrawls, startAllWorkers } from './crawl-workers.js';

/** What a run needs. */
export interface CrawlRun {
  readonly crawlId: string;
  readonly engine: Engine;
  readonly interrupts: Interrupts;
  readonly quiet: boolean;
  readonly json: boolean;
  /** As given, for the commands that are shown. */
  readonly dataDirFlag: string | undefined;
  /** Queue of the crawl's workflow; default: ours. */
  readonly taskQueue?: string;
  /** Start the crawl or attach to it; the workers run already. */
  readonly begin: (handle: CrawlHandle) => Promise<void>;
  /** Seeds that go in while it runs. */
  readonly moreSeeds?: SeedPieces['rest'];
  /** Lines of the servers go to the display once there is one. */
  readonly showLinesOn?: (say: (line: string) => void) => void;
}

/** Host workflows get so long to close, so that the web UI shows nothing as running. */
const CLOSE_WITHIN_MS = 5000;

/** Run a crawl to its end, or to the first interrupt. */
export async function runCrawl(ctx: CliContext, run: CrawlRun): Promise<ExitCode> {
  const { engine, crawlId, interrupts } = run;
  const taskQueue = run.taskQueue ?? DEFAULT_TASK_QUEUE;
  const startedAtMs = Date.now();
  const handle = new CrawlHandle(reachOf(engine, taskQueue), crawlId);
  let display: Display | undefined;
  const frontier = new RedisFrontier(engine.redis, crawlId);
  void sweepExpired(engine.redis).catch(() => undefined);
  // An error: it is said by --quiet too.
  const tell = troubleTeller((line) => (display && !run.quiet ? display : ctx).say(line));
  const workers = await startAllWorkers(engine, taskQueue, tell);
  const others = otherRunningCrawls(engine, crawlId);
  const stopFeeding = new AbortController();
  try {
    await run.begin(handle);
    interrupts.arm();
    const webUrl = workflowUrl(engine, crawlWorkflowId(crawlId));
    const mode = run.quiet ? 'quiet' : ctx.isTty ? 'live' : 'plain';
    if (mode === 'plain') {
      ctx.say(`crawl ${crawlId}${webUrl === null ? '' : `  web UI ${webUrl}`}`);
    }
    display = createDisplay({ mode, stream: ctx.stderr, crawlId, startedAtMs, webUrl });
    interrupts.onAbruptEnd(() => {
      display?.close();
      ctx.say(keptLine(run));
    });
    run.showLinesOn?.((line) => display?.say(line));
    void others.then((ids) => {
      if (ids.length > 0) display?.say(othersNote(ids, run.dataDirFlag));
    });
    const feeding = feedDisplay(frontier, display, stopFeeding.signal);
    const result = await untilEnd(run, handle, workers, display);
    if (result === undefined) {
      display.note('letting running pages finish… (Ctrl-C again ends at once)');
    } else {
      await untilHostsClosed(engine, crawlId, interrupts.signal);
    }
    await workers.shutdown();
    stopFeeding.abort();
    await feeding;
    display.close();
    return await tellEnd(ctx, run, { frontier, result, startedAtMs });
  } catch (error) {
    stopFeeding.abort();
    display?.close();
    await workers.shutdown().catch(() => undefined);
    const isEnding = error instanceof CrawlError && error.code === 'FRONTIER_CRAWL_STATE';
    if (!isEnding) throw error;
    await refuseDeleted(frontier, crawlId);
    ctx.say(error.message);
    return tellEnd(ctx, run, { frontier, result: null, startedAtMs });
  }
}

/**
 * Somebody deleted the crawl while it ran here: nothing is left to tell, or to resume.
 *
 * @throws FRONTIER_CRAWL_NOT_FOUND
 */
export async function refuseDeleted(
  frontier: Pick<RedisFrontier, 'status'>,
  crawlId: string,
): Promise<void> {
  try {
    await frontier.status();
  } catch (error) {
    if (!(error instanceof CrawlError) || error.code !== 'FRONTIER_CRAWL_NOT_FOUND') throw error;
    throw new FrontierError(
      'FRONTIER_CRAWL_NOT_FOUND',
      `crawl "${crawlId}" was deleted while it ran here`,
      { details: { crawlId }, cause: error },
    );
  }
}

function othersNote(ids: readonly string[], dataDir: string | undefined): string {
  const [first = ''] = ids;
  return (
    `note: ${ids.join(', ')} had not ended and ${ids.length === 1 ? 'goes' : 'go'} on while this ` +
    `process runs; end with: ${commandLine(['stop', first], dataDir)}`
  );
}

/** @returns undefined when interrupted */
async function untilEnd(
  run: CrawlRun,
  handle: CrawlHandle,
  workers: RunningWorkers,
  display: Display,
): Promise<CrawlResult | undefined> {
  const { signal } = run.interrupts;
  const broken = workers.done.then((): never => {
    throw new Error('the workers of this process ended by themselves');
  });
  broken.catch(() => undefined);
  return Promise.race([
    broken,
    (async () => {
      if (run.moreSeeds) await addSeeds(handle, run.moreSeeds, display, signal);
      return awaitResult(run.engine.client, handle, signal);
    })(),
  ]);
}

/** Seeds beyond the first piece, a message at a time. */
async function addSeeds(
  handle: CrawlHandle,
  pieces: SeedPieces['rest'],
  display: Display,
  signal: AbortSignal,
): Promise<void> {
  for await (const piece of pieces) {
    if (signal.aborted) {
      display.say(
        'interrupted while seeds were being added; resume with --seeds-file adds the rest',
      );
      return;
    }
    const refused = await handle.addChunk(piece);
    for (const { seed, reason } of refused.slice(0, 20)) {
      display.say(`seed refused: ${seed}: ${reason}`);
    }
    if (refused.length > 20) display.say(`and ${refused.length - 20} more seeds`);
  }
}

async function untilHostsClosed(
  engine: Engine,
  crawlId: string,
  signal: AbortSignal,
): Promise<void> {
  const deadlineMs = performance.now() + CLOSE_WITHIN_MS;
  while (performance.now() < deadlineMs && !signal.aborted) {
    if ((await countLeftRunning(engine, crawlId)) === 0) return;
    await delay(100);
  }
}
