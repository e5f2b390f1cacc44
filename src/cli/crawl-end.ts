/** What is said when a run is over, whichever way: figures, seeds that brought nothing, next steps. */
import type { CrawlResult } from '../contracts/crawl.js';
import type { CrawlStatus, HostStatus } from '../contracts/frontier.js';
import type { RedisFrontier } from '../frontier/redis-frontier.js';
import { readScopeRoots } from '../frontier/scope-roots.js';
import { compileScope } from '../url/scope.js';
import { commandLine, type CliContext } from './context.js';
import { missingSeedsLine } from './control/engine-life.js';
import type { CrawlRun } from './crawl-run.js';
import { jsonResult, noPageLines, summaryLines, type NextCommands } from './display/summary.js';
import { queuedCount, storedCount } from '../contracts/totals.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { readSeedRecords, seedLines } from './seed-report.js';

/** How a run ended. */
export interface RunEnd {
  readonly frontier: RedisFrontier;
  /** Undefined: interrupted; null: cancelled, terminated or timed out. */
  readonly result: CrawlResult | undefined | null;
  readonly startedAtMs: number;
}

const HOST_PAGE = 500;
const HOST_PAGES = 10;

/** Say it all. @returns the exit code */
export async function tellEnd(ctx: CliContext, run: CrawlRun, end: RunEnd): Promise<ExitCode> {
  const status = await end.frontier.status();
  const durationMs = end.result?.durationMs ?? Date.now() - end.startedAtMs;
  const next = nextCommands(run, status);
  const isInterrupted = end.result === undefined;
  const hasNoPage = storedCount(status.totals) === 0;
  if (isInterrupted) {
    ctx.say(keptLine(run));
  } else {
    if (!run.quiet) for (const line of summaryLines(status, durationMs, next)) ctx.say(line);
    // A crawl that was ended from outside is not over: its seeds may still bring pages.
    if (end.result !== null) {
      if (hasNoPage) for (const line of noPageLines(status)) ctx.say(line);
      if (!run.quiet || hasNoPage) {
        for (const line of await seedReport(run, status, end)) ctx.say(line);
      }
    }
  }
  const missing = missingSeedsLine(status, run.dataDirFlag);
  if (missing !== undefined) ctx.say(missing);
  if (run.json) ctx.print(JSON.stringify(jsonResult(status, durationMs)));
  if (isInterrupted) return run.interrupts.code() ?? EXIT.interrupted;
  if (end.result === null || status.state === 'failed' || status.state === 'cancelled') {
    if (end.result === null && (run.quiet || queuedCount(status.totals) === 0)) {
      ctx.say(`go on with: ${next.resume}`);
    }
    return EXIT.crawlEnded;
  }
  return hasNoPage ? EXIT.noPage : EXIT.ok;
}

/** The one line that matters when the process ends at once. */
export function keptLine(run: Pick<CrawlRun, 'crawlId' | 'dataDirFlag'>): string {
  const { crawlId, dataDirFlag } = run;
  return `crawl ${crawlId} is kept; go on with: ${commandLine(['resume', crawlId], dataDirFlag)}`;
}

function nextCommands({ crawlId, dataDirFlag }: CrawlRun, status: CrawlStatus): NextCommands {
  const { maxPages } = status.settings;
  // Resumed under the same limit it would end where it ended.
  const larger =
    status.finishReason === 'pageLimit' && maxPages !== null
      ? ['--limit', String(maxPages * 2)]
      : [];
  return {
    export: `${commandLine(['export', crawlId], dataDirFlag)} > pages.jsonl`,
    failures: commandLine(['export', crawlId, '--failures'], dataDirFlag),
    held: commandLine(['held', crawlId], dataDirFlag),
    resume: commandLine(['resume', crawlId, ...larger], dataDirFlag),
  };
}

async function seedReport(run: CrawlRun, status: CrawlStatus, end: RunEnd): Promise<string[]> {
  const { crawlId, engine } = run;
  const [records, hosts, roots] = await Promise.all([
    readSeedRecords(status.settings, crawlId, status.seeds),
    someHosts(end.frontier),
    readScopeRoots(engine.redis, crawlId),
  ]);
  const scope = compileScope(roots, status.settings);
  return seedLines({
    status,
    refusedSeeds: end.result?.refusedSeeds ?? [],
    hosts,
    records,
    isInScope: (url) => scope.check(url).inScope,
  });
}

async function someHosts(frontier: RedisFrontier): Promise<HostStatus[]> {
  const hosts: HostStatus[] = [];
  for (let page = 0; page < HOST_PAGES; page += 1) {
    const more = await frontier.hosts({ after: hosts.at(-1)?.hostKey ?? '', limit: HOST_PAGE });
    hosts.push(...more);
    if (more.length < HOST_PAGE) break;
  }
  return hosts;
}
