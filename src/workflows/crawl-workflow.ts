/**
 * One crawl (C5): opens the frontier with the seeds, ensures the hosts that the frontier nominates,
 * carries out commands, ends when nothing is outstanding.
 */
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  isCancellation,
  makeContinueAsNewFunc,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { CrawlInput, CrawlProgress, CrawlResult } from '../contracts/crawl.js';
import type { NextHosts } from '../contracts/frontier.js';
import { frontierActivities, pollActivities } from './activity-proxies.js';
import { CommandQueue, forEachLiveHost } from './commands.js';
import { newCrawlProgress } from './crawl-state.js';
import { cancelHost, ensureHost, wakeHost } from './ensure-host.js';
import { addSeedsUpdate, commandSignal, commandUpdate, crawlProgressQuery } from './messages.js';
import { chainOwner, isHistoryLong } from './run-chain.js';
import { crawlDetails } from './ui-progress.js';

const MAX_HISTORY_EVENTS = 2000;

export async function crawlWorkflow(input: CrawlInput): Promise<CrawlResult> {
  const { crawlId, carried, tuning = {} } = input;
  const frontier = frontierActivities();
  const { nextHosts } = pollActivities();
  const owner = carried?.owner ?? chainOwner();
  const startedAtMs = Number(owner.split(':')[0]);
  let polls = carried?.polls ?? 0;
  let version = 0;
  let isOpen = carried !== undefined;
  let progress = newCrawlProgress(crawlId, carried);
  const commands = new CommandQueue(crawlId);
  /** Seeds that were added: whoever found the crawl done before must look again. */
  let plantings = 0;

  const show = (next: Partial<CrawlProgress>) => {
    progress = { ...progress, ...next };
    setCurrentDetails(crawlDetails(progress));
  };
  setHandler(crawlProgressQuery, () => progress, {
    description: 'State and counters of the crawl, as of the last look at the frontier',
  });
  setHandler(commandSignal, (command) => {
    commands.push(command);
  });
  setHandler(commandUpdate, (command) => commands.carriedOut(command).then(() => progress), {
    description: 'Pause, unpause, stop or adjust the crawl, e.g. {"kind": "pause"}',
  });
  setHandler(
    addSeedsUpdate,
    async ({ seeds }) => {
      await condition(() => isOpen);
      plantings += 1;
      return frontier.addSeeds({ crawlId, seeds });
    },
    { description: 'Add seeds to this crawl: {"seeds": ["https://…"]}' },
  );
  show({});
  const isQuiet = () => commands.isEmpty && allHandlersFinished();

  const ensureAll = async ({ hosts }: NextHosts) => {
    const started = await Promise.all(
      hosts.map(({ hostKey }) => ensureHost({ crawlId, hostKey, tuning })),
    );
    show({ hostsStarted: progress.hostsStarted + started.filter(Boolean).length });
  };

  const hostLoop = async (): Promise<CrawlResult> => {
    if (!isOpen) {
      const opened = await frontier.openCrawl({
        ...input,
        requestId: workflowInfo().firstExecutionRunId,
      });
      isOpen = true;
      show({ state: opened.state, refusedSeeds: opened.refusedSeeds });
    }
    void commands.run();
    for (;;) {
      if (isHistoryLong(tuning.maxHistoryEvents ?? MAX_HISTORY_EVENTS)) {
        await condition(isQuiet);
        const { memo } = workflowInfo();
        const goOn = makeContinueAsNewFunc<typeof crawlWorkflow>(memo ? { memo } : {});
        const { hostsStarted, refusedSeeds } = progress;
        await goOn({ ...input, carried: { owner, polls, hostsStarted, refusedSeeds } });
      }
      polls += 1;
      const changesBefore = commands.carriedOutCount + plantings;
      const next = await nextHosts({ crawlId, owner, requestId: `${owner}/${polls}`, version });
      if (next.isFenced) return frontier.finishCrawl({ crawlId, startedAtMs });
      version = next.version;
      show({ state: next.state, finishReason: next.finishReason, totals: next.totals });
      await ensureAll(next);
      if (next.needsRecount) await frontier.recountCrawl({ crawlId });
      if (next.isDone) {
        // A command or added seeds may make it go on: then look again.
        await condition(isQuiet);
        if (commands.carriedOutCount + plantings === changesBefore) break;
      }
    }
    const counted = await frontier.finishCrawl({
      crawlId,
      startedAtMs,
      state: 'finished',
      finishReason: progress.finishReason ?? 'completed',
    });
    const { hostsStarted, refusedSeeds } = progress;
    const result = { ...counted, hostsStarted, refusedSeeds };
    show(result);
    // Hosts that linger learn that it is over.
    await forEachLiveHost(crawlId, (hostKey) => wakeHost(crawlId, hostKey));
    return result;
  };

  try {
    return await hostLoop();
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(async () => {
        await frontier.changeCrawl({ crawlId, state: 'cancelled', finishReason: 'cancelled' });
        await forEachLiveHost(crawlId, (hostKey) => cancelHost(crawlId, hostKey));
      });
    }
    throw error;
  }
}
