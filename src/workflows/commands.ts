/** Commands of people, carried out by the parent: change the record, then wake who sleeps. */
import { condition, log } from '@temporalio/workflow';
import type { CrawlCommand } from '../contracts/crawl.js';
import type { CrawlState } from '../contracts/frontier.js';
import { frontierActivities } from './activity-proxies.js';
import { wakeLiveHosts } from './live-hosts.js';
import { explained, refusal } from './refusals.js';

interface Waiting {
  readonly command: CrawlCommand;
  readonly settle: (error?: unknown) => void;
}

/** Commands in the order in which they came, carried out one after another. */
export class CommandQueue {
  /** Commands carried out or refused by this run. */
  carriedOutCount = 0;
  private readonly crawlId: string;
  private readonly onState: (state: CrawlState) => void;
  private readonly waiting: Waiting[] = [];
  private isBusy = false;
  private isClosed = false;

  /** @param onState hears the state in which a command left the crawl */
  constructor(crawlId: string, onState: (state: CrawlState) => void) {
    this.crawlId = crawlId;
    this.onState = onState;
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0 && !this.isBusy;
  }

  /** Queue a command; a refusal is only logged. */
  push(command: CrawlCommand): void {
    this.carriedOut(command).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn('command refused', { command: command.kind, reason });
    });
  }

  /**
   * Queue a command and wait for it.
   *
   * @throws ApplicationFailure whose type is the engine's code, saying why it was refused
   */
  carriedOut(command: CrawlCommand): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) {
        reject(refusal('FRONTIER_CRAWL_STATE', `crawl "${this.crawlId}" is being cancelled`));
        return;
      }
      const settle = (error?: unknown) => {
        if (error === undefined) resolve();
        else reject(explained(error));
      };
      this.waiting.push({ command, settle });
    });
  }

  /** Carry commands out until the workflow is cancelled; never rejects. */
  async run(): Promise<void> {
    try {
      for (;;) {
        await condition(() => this.waiting.length > 0);
        await this.next();
      }
    } catch (error) {
      this.isClosed = true;
      for (const { settle } of this.waiting.splice(0)) settle(error);
    }
  }

  private async next(): Promise<void> {
    const { command, settle } = this.waiting.shift()!;
    this.isBusy = true;
    try {
      this.onState(await carryOut(this.crawlId, command));
      settle();
    } catch (error) {
      settle(error);
    } finally {
      this.carriedOutCount += 1;
      this.isBusy = false;
    }
  }
}

/** Carry out one command; a refused one (the crawl is over already) changes nothing. */
async function carryOut(crawlId: string, command: CrawlCommand): Promise<CrawlState> {
  const { changeCrawl } = frontierActivities();
  switch (command.kind) {
    case 'pause':
      return andWake(crawlId, await changeCrawl({ crawlId, state: 'paused' }));
    case 'unpause':
      // Its paused hosts are pending again: they wake as any other host does. A crawl that is
      // stopping goes on by resume, not by this.
      return changeCrawl({ crawlId, state: 'running', from: ['paused', 'running'] });
    case 'stop':
      // The main loop sees it and wakes the hosts, as for a limit that was reached.
      return changeCrawl({ crawlId, state: 'stopping', finishReason: 'stopped' });
    case 'adjust':
      return andWake(crawlId, await changeCrawl({ crawlId, options: command.options }));
    case 'requeueDeadLetters':
      return changeCrawl({ crawlId, requeueDeadLetters: true });
    case 'requeueHeld':
      return changeCrawl({ crawlId, requeueHeld: true });
  }
}

async function andWake(crawlId: string, state: CrawlState): Promise<CrawlState> {
  await wakeLiveHosts(crawlId);
  return state;
}
