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
import type { CrawlCarried, CrawlInput, CrawlProgress, CrawlResult } from '../contracts/crawl.js';
import type { NextHosts } from '../contracts/frontier.js';
import { frontierActivities, pollActivities } from './activity-proxies.js';
import { CommandQueue } from './commands.js';
import { heartbeatMsFor, newCrawlProgress } from './crawl-state.js';
import { ensureHost } from './ensure-host.js';
import { checkCrawlInput } from './inputs.js';
import { cancelLiveHosts, wakeLiveHosts } from './live-hosts.js';
import { addSeedsUpdate, commandSignal, commandUpdate, crawlProgressQuery } from './messages.js';
import { checkCommand, checkSeeds, explained } from './refusals.js';
import { chainOwner, isHistoryLong, keptMemo } from './run-chain.js';
import { crawlDetails } from './ui-progress.js';

const MAX_HISTORY_EVENTS = 2000;

export async function crawlWorkflow(input: CrawlInput): Promise<CrawlResult> {
  checkCrawlInput(input);
  const { crawlId, carried, tuning = {} } = input;
  const frontier = frontierActivities();
  const { nextHosts } = pollActivities();
  const owner = carried?.owner ?? chainOwner();
  const startedAtMs = Number(owner.split(':')[0]);
  let polls = carried?.polls ?? 0;
  let version = 0;
  let isOpen = carried !== undefined;
  let progress = newCrawlProgress(crawlId, carried);
  /** Seeds that were added: whoever found the crawl done before must look again. */
  let plantings = 0;

  const show = (next: Partial<CrawlProgress>) => {
    progress = { ...progress, ...next };
    setCurrentDetails(crawlDetails(progress));
  };
  const commands = new CommandQueue(crawlId, (state) => {
    // A stop is shown by the main loop, which then wakes the hosts.
    if (state !== 'stopping') show({ state });
  });
  const changes = () => commands.carriedOutCount + plantings;
  const isQuiet = () => commands.isEmpty && allHandlersFinished();

  setHandler(crawlProgressQuery, () => progress, {
    description: 'State and counters of the crawl, as of the last look at the frontier',
  });
  setHandler(commandSignal, (command) => {
    try {
      checkCommand(command);
    } catch {
      // Nobody waits for an answer to a signal; the update tells what is wrong.
      return;
    }
    commands.push(command);
  });
  setHandler(commandUpdate, (command) => commands.carriedOut(command).then(() => progress), {
    description: 'Pause, unpause, stop or adjust the crawl, e.g. {"kind": "pause"}',
    validator: checkCommand,
  });
  setHandler(
    addSeedsUpdate,
    async ({ seeds, moreSeeds }) => {
      await condition(() => isOpen);
      plantings += 1;
      try {
        return await frontier.addSeeds({
          ...{ crawlId, seeds },
          ...(moreSeeds !== undefined && { moreSeeds }),
        });
      } catch (error) {
        throw explained(error);
      }
    },
    { description: 'Add seeds to this crawl: {"seeds": ["https://…"]}', validator: checkSeeds },
  );
  show({});

  const open = async () => {
    // Not half-way: a cancelled crawl must be there to be marked as such.
    const opened = await CancellationScope.nonCancellable(() =>
      frontier.openCrawl({ ...input, requestId: workflowInfo().firstExecutionRunId }),
    );
    isOpen = true;
    show({ state: opened.state, refusedSeeds: opened.refusedSeeds });
  };

  const goOnInNewRun = async () => {
    await condition(isQuiet);
    const { hostsStarted, refusedSeeds, state, finishReason, totals } = progress;
    const carry: CrawlCarried = {
      ...{ owner, polls, hostsStarted, refusedSeeds, state, finishReason, totals },
    };
    // Without seeds and options: the frontier has them.
    const next = { crawlId, carried: carry, ...(input.tuning && { tuning: input.tuning }) };
    await makeContinueAsNewFunc<typeof crawlWorkflow>(keptMemo())(next);
  };

  const ensureAll = async ({ hosts, totals }: NextHosts) => {
    const heartbeatMs = heartbeatMsFor(totals.placedHosts);
    const hostTuning = { heartbeatMs, ...tuning };
    const started = await Promise.all(
      hosts.map(({ hostKey }) => ensureHost({ crawlId, hostKey, tuning: hostTuning })),
    );
    show({ hostsStarted: progress.hostsStarted + started.filter(Boolean).length });
  };

  /** @returns null when seeds or a command came just now: then the crawl goes on */
  const finish = async (changesBefore: number): Promise<CrawlResult | null> => {
    const { finishReason } = progress;
    const counted = await frontier.finishCrawl({
      ...{ crawlId, startedAtMs, state: 'finished' },
      finishReason: finishReason ?? 'completed',
    });
    // Hosts that linger learn that it is over.
    await wakeLiveHosts(crawlId);
    await condition(isQuiet);
    if (changes() !== changesBefore && counted.finishReason === 'completed') {
      await frontier.changeCrawl({ crawlId, state: 'running' });
      return null;
    }
    const { hostsStarted, refusedSeeds } = progress;
    const result = { ...counted, hostsStarted, refusedSeeds };
    show(result);
    return result;
  };

  /** A Redis that was set back to before the seeds: the crawl would end with nothing done. */
  const hasReplanted = async ({ totals, state }: NextHosts): Promise<boolean> => {
    const { seeds = [] } = input;
    if (totals.discovered > 0 || state !== 'running' || seeds.length === 0) return false;
    return (await frontier.addSeeds({ crawlId, seeds })).added > 0;
  };

  const hostLoop = async (): Promise<CrawlResult> => {
    if (!isOpen) await open();
    void commands.run();
    for (;;) {
      if (isHistoryLong(tuning.maxHistoryEvents ?? MAX_HISTORY_EVENTS)) await goOnInNewRun();
      polls += 1;
      const changesBefore = changes();
      const next = await nextHosts({ crawlId, owner, requestId: `${owner}/${polls}`, version });
      if (next.isFenced) return frontier.finishCrawl({ crawlId, startedAtMs });
      version = next.version;
      const isStopping = next.state === 'stopping' && progress.state !== 'stopping';
      show({ state: next.state, finishReason: next.finishReason, totals: next.totals });
      await ensureAll(next);
      // A limit that was reached, or a command: hosts in long waits would keep the crawl open.
      if (isStopping) await wakeLiveHosts(crawlId);
      if (next.needsRecount) await frontier.recountCrawl({ crawlId });
      if (next.isDone && (await hasReplanted(next))) continue;
      if (next.isDone) {
        await condition(isQuiet);
        const result = changes() === changesBefore ? await finish(changesBefore) : null;
        if (result) return result;
      }
    }
  };

  try {
    return await hostLoop();
  } catch (error) {
    if (isCancellation(error) && isOpen) {
      await CancellationScope.nonCancellable(async () => {
        const change = { state: 'cancelled', finishReason: 'cancelled' } as const;
        await frontier.finishCrawl({ crawlId, startedAtMs, ...change });
        await cancelLiveHosts(crawlId);
      });
    }
    throw error;
  }
}
