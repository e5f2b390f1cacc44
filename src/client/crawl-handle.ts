/** One crawl, running or over: asking, commanding, waiting. */
import { WithStartWorkflowOperation, WorkflowNotFoundError } from '@temporalio/client';
import type { CrawlAdjustments } from '../config/options.js';
import { resolveAdjustments } from '../config/resolve.js';
import type { CrawlCommand, CrawlProgress, CrawlResult, RefusedSeed } from '../contracts/crawl.js';
import type { DeadLetter, HeldPage, HeldUrl, HostStatus } from '../contracts/frontier.js';
import { CRAWL_WORKFLOW, crawlWorkflowId } from '../contracts/workflow-ids.js';
import { CrawlError } from '../errors.js';
import type { crawlWorkflow } from '../workflows/crawl-workflow.js';
import { addSeedsUpdate, commandUpdate, crawlProgressQuery } from '../workflows/messages.js';
import { answer, describeParent, readCrawl, type Reach } from './answers.js';
import { cancelLeftWorkflows } from './left-workflows.js';
import type { AddedSeeds, CrawlView, ResumeCrawlOptions } from './client-types.js';
import { explainTemporalError, noSuchCrawl, notRunning } from './explain-error.js';
import { reachOf, readDeadLetters, readHeldUrls, readHosts } from './read-pages.js';
import { seedChunks, type SeedChunk } from './seed-chunks.js';
import { crawlStartOptions, startCrawlWorkflow } from './start-workflow.js';

/**
 * A crawl. Calls that a worker must answer throw CONFIG_SERVER_UNAVAILABLE (retryable) when none
 * does; all throw FRONTIER_CRAWL_NOT_FOUND for a crawl that does not exist.
 */
export class CrawlHandle {
  readonly crawlId: string;
  /** For the Temporal web UI and `temporal workflow` commands. */
  readonly workflowId: string;
  private readonly reach: Reach;

  constructor(reach: Reach, crawlId: string) {
    this.reach = reach;
    this.crawlId = crawlId;
    this.workflowId = crawlWorkflowId(crawlId);
  }

  /**
   * State and counters. Of a running crawl they are those of its last look at the frontier (up to
   * 20 s old while nothing new happens), of one that is over the final ones.
   */
  async progress(): Promise<CrawlView> {
    const parent = await describeParent(this.reach, this.crawlId);
    const workflowStatus = parent?.status ?? null;
    if (parent?.status === 'RUNNING') {
      const reach = { ...this.reach, taskQueue: parent.taskQueue };
      const progress = await answer(reach, this.crawlId, () =>
        this.workflow().query(crawlProgressQuery),
      );
      return { ...progress, workflowStatus };
    }
    if (parent?.status === 'COMPLETED') {
      // Needs no worker: the result is in the history.
      const { crawlId, state, finishReason, totals, hostsStarted, refusedSeeds } =
        await this.result();
      return { crawlId, state, finishReason, totals, hostsStarted, refusedSeeds, workflowStatus };
    }
    try {
      const request = { kind: 'progress', crawlId: this.crawlId } as const;
      const { progress } = await readCrawl<'progress'>(this.reach, request, parent?.taskQueue);
      return { ...progress, workflowStatus };
    } catch (error) {
      // A crawl that could not be opened: its own failure says why.
      if (parent?.status === 'FAILED' && isCode(error, 'FRONTIER_CRAWL_NOT_FOUND')) {
        await this.result();
      }
      throw error;
    }
  }

  /**
   * Hosts in the order of their keys, a page at a time. A page may be shorter than asked for; the
   * one after the last is empty.
   *
   * @param page `after`: the last key of the page before; `limit`: 1 to 500, default 500
   */
  hosts(page: { after?: string; limit?: number } = {}): Promise<readonly HostStatus[]> {
    return readHosts(this.reach, this.crawlId, page);
  }

  /** All hosts in the order of their keys, read as they are taken: `for await (const host of …)`. */
  async *eachHost(): AsyncGenerator<HostStatus, void> {
    for (let after = ''; ;) {
      const hosts = await this.hosts({ after });
      yield* hosts;
      const last = hosts.at(-1);
      if (last === undefined) return;
      after = last.hostKey;
    }
  }

  /**
   * URLs that were given up, oldest first, a page at a time. A page may be shorter than asked for,
   * where URLs are long; the one after the last is empty.
   *
   * @param page `offset`: default 0; `limit`: 1 to 100, default 100
   */
  deadLetters(page: { offset?: number; limit?: number } = {}): Promise<readonly DeadLetter[]> {
    return readDeadLetters(this.reach, this.crawlId, page);
  }

  /** All dead letters, read as they are taken. */
  async *eachDeadLetter(): AsyncGenerator<DeadLetter, void> {
    for (let offset = 0; ;) {
      const letters = await this.deadLetters({ offset });
      yield* letters;
      if (letters.length === 0) return;
      offset += letters.length;
    }
  }

  /**
   * URLs that are held back as crawl traps, in no order; about `limit` a page.
   *
   * @param page `cursor`: that of the page before; `limit`: 1 to 100, default 100
   */
  heldUrls(page: { cursor?: string; limit?: number } = {}): Promise<HeldPage> {
    return readHeldUrls(this.reach, this.crawlId, page);
  }

  /** All held URLs, read as they are taken; one may come twice while the crawl runs. */
  async *eachHeldUrl(): AsyncGenerator<HeldUrl, void> {
    for (let cursor: string | null = '0'; cursor !== null;) {
      const page: HeldPage = await this.heldUrls({ cursor });
      yield* page.urls;
      ({ cursor } = page);
    }
  }

  /** Let running pages end and fetch nothing until `unpause`. Settings and queues stay. */
  pause(): Promise<CrawlProgress> {
    return this.carryOut({ kind: 'pause' });
  }

  /** Go on after `pause`. */
  unpause(): Promise<CrawlProgress> {
    return this.carryOut({ kind: 'unpause' });
  }

  /** Let running pages end and finish; what is queued stays, for `resume`. */
  stop(): Promise<CrawlProgress> {
    return this.carryOut({ kind: 'stop' });
  }

  /**
   * Change limits, delays and the like; every host obeys from its next page on.
   *
   * @throws CONFIG_INVALID_OPTION, CONFIG_UNKNOWN_OPTION, before anything is sent
   */
  async adjust(options: CrawlAdjustments): Promise<CrawlProgress> {
    resolveAdjustments(options);
    return this.carryOut({ kind: 'adjust', options: { ...options } });
  }

  /** Put all dead letters back into their queues; a crawl that is over goes on with them. */
  requeueDeadLetters(): Promise<CrawlProgress> {
    return this.carryOutOrResume({ kind: 'requeueDeadLetters' });
  }

  /**
   * Queue all URLs that are held back as crawl traps; a crawl that is over goes on with them. What
   * they lead to is judged again unless `traps` is off (`adjust({ traps: false })`).
   */
  requeueHeld(): Promise<CrawlProgress> {
    return this.carryOutOrResume({ kind: 'requeueHeld' });
  }

  private async carryOutOrResume(command: CrawlCommand): Promise<CrawlProgress> {
    const reach = await reachOf(this.reach, this.crawlId);
    const { taskQueue } = reach;
    return answer(reach, this.crawlId, () =>
      this.reach.client.workflow.executeUpdateWithStart(commandUpdate, {
        args: [command],
        startWorkflowOperation: new WithStartWorkflowOperation<typeof crawlWorkflow>(
          CRAWL_WORKFLOW,
          {
            ...crawlStartOptions({ crawlId: this.crawlId, resume: true }, taskQueue),
            workflowIdConflictPolicy: 'USE_EXISTING',
          },
        ),
      }),
    );
  }

  /**
   * Add seeds to a running crawl: any number, sent in pieces. Their hosts (or domains) belong to
   * the scope from then on. Adding a seed again changes nothing.
   *
   * @throws FRONTIER_CRAWL_STATE when the crawl is over: resume it first
   */
  async addSeeds(seeds: Iterable<string> | AsyncIterable<string>): Promise<AddedSeeds> {
    const refusedSeeds: RefusedSeed[] = [];
    let offered = 0;
    let added = 0;
    for await (const chunk of seedChunks(seeds)) {
      const { seeds: some } = chunk;
      const reply = await this.running(() =>
        this.workflow().executeUpdate(addSeedsUpdate, { args: [{ seeds: some }] }),
      );
      offered += some.length;
      added += reply.added;
      refusedSeeds.push(...reply.refusedSeeds);
    }
    return { offered, added, refusedSeeds };
  }

  /**
   * One piece of the seeds that the crawl is started from. It may have come to its end (a page limit,
   * say) while they were sent: then it goes on with them.
   *
   * @returns the seeds that are refused; of a crawl that was over its result tells them
   * @internal
   */
  async addChunk({ seeds, hasMore }: SeedChunk): Promise<readonly RefusedSeed[]> {
    const piece = { seeds, moreSeeds: hasMore };
    try {
      const { refusedSeeds } = await this.running(() =>
        this.workflow().executeUpdate(addSeedsUpdate, { args: [piece] }),
      );
      return refusedSeeds;
    } catch (error) {
      const isOver = error instanceof CrawlError && error.details['workflowStatus'] === 'COMPLETED';
      if (!isOver) throw error;
      await startCrawlWorkflow(this.reach, { crawlId: this.crawlId, resume: true, ...piece });
      return [];
    }
  }

  /**
   * Give up now: running pages are abandoned (and fetched anew by a later `resume`). Hosts that an
   * interrupted crawl left running end too. Does not wait for the end; `result` does.
   */
  async cancel(): Promise<void> {
    const parent = await describeParent(this.reach, this.crawlId);
    if (parent?.status === 'RUNNING') {
      await answer(this.reach, this.crawlId, () => this.workflow().cancel());
      return;
    }
    const left = await cancelLeftWorkflows(this.reach.client, this.crawlId);
    if (left > 0) return;
    throw parent ? notRunning(this.crawlId, parent.status) : noSuchCrawl(this.crawlId);
  }

  /**
   * Go on with a crawl that ended or was interrupted, under changed limits where given. That it
   * does not exist is said by `progress` and `result`, once a worker has looked.
   *
   * @returns this handle
   * @throws FRONTIER_CRAWL_STATE while it runs; CONFIG_INVALID_OPTION, CONFIG_UNKNOWN_OPTION
   */
  async resume({ seeds, ...options }: ResumeCrawlOptions = {}): Promise<this> {
    resolveAdjustments(options);
    const input = {
      crawlId: this.crawlId,
      resume: true,
      options: { ...options },
      ...(seeds && { seeds }),
    };
    await startCrawlWorkflow(this.reach, input);
    return this;
  }

  /**
   * Wait for the end, however long it takes.
   *
   * @throws FRONTIER_CRAWL_STATE when it was cancelled, terminated or timed out; the error that
   *   failed it
   */
  async result(): Promise<CrawlResult> {
    try {
      return await this.workflow().result();
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) throw noSuchCrawl(this.crawlId, error);
      throw explainTemporalError(error, this.crawlId);
    }
  }

  private workflow() {
    return this.reach.client.workflow.getHandle<typeof crawlWorkflow>(this.workflowId);
  }

  private carryOut(command: CrawlCommand): Promise<CrawlProgress> {
    return this.running(() => this.workflow().executeUpdate(commandUpdate, { args: [command] }));
  }

  /** Ask the running workflow; when there is none, say what became of it. */
  private async running<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await answer(this.reach, this.crawlId, ask);
    } catch (error) {
      const isGone = error instanceof WorkflowNotFoundError;
      if (!isGone && !isCode(error, 'CONFIG_SERVER_UNAVAILABLE')) throw error;
      const parent = await describeParent(this.reach, this.crawlId);
      if (!parent) throw noSuchCrawl(this.crawlId, error);
      if (parent.status !== 'RUNNING') throw notRunning(this.crawlId, parent.status);
      throw error;
    }
  }
}

function isCode(error: unknown, code: CrawlError['code']): boolean {
  return error instanceof CrawlError && error.code === code;
}
