/** Commands of people, carried out by the parent: change the record, then wake who sleeps. */
import { condition, log } from '@temporalio/workflow';
import type { CrawlCommand } from '../contracts/crawl.js';
import { frontierActivities } from './activity-proxies.js';
import { wakeHost } from './ensure-host.js';

/** Signals in flight at once; a workflow may have 2,000. */
const SIGNAL_STEP = 50;

interface Waiting {
  readonly command: CrawlCommand;
  readonly settle: (error?: unknown) => void;
}

/** Commands in the order in which they came, carried out one after another. */
export class CommandQueue {
  /** Commands carried out or refused by this run. */
  carriedOutCount = 0;
  private readonly crawlId: string;
  private readonly waiting: Waiting[] = [];
  private isBusy = false;

  constructor(crawlId: string) {
    this.crawlId = crawlId;
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0 && !this.isBusy;
  }

  /** Queue a command; a refusal is only logged. */
  push(command: CrawlCommand): void {
    this.carriedOut(command).catch((error: unknown) => {
      log.warn('command refused', { command: command.kind, error });
    });
  }

  /** Queue a command and wait for it. */
  carriedOut(command: CrawlCommand): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: unknown) => {
        if (error === undefined) resolve();
        else reject(error);
      };
      this.waiting.push({ command, settle });
    });
  }

  /** Carry commands out for as long as the workflow runs. */
  async run(): Promise<void> {
    for (;;) {
      await condition(() => this.waiting.length > 0);
      this.isBusy = true;
      const { command, settle } = this.waiting.shift()!;
      try {
        await carryOut(this.crawlId, command);
        settle();
      } catch (error) {
        settle(error);
      }
      this.carriedOutCount += 1;
      this.isBusy = false;
    }
  }
}

/** Carry out one command; a refused one (the crawl is over already) changes nothing. */
async function carryOut(crawlId: string, command: CrawlCommand): Promise<void> {
  const { changeCrawl } = frontierActivities();
  switch (command.kind) {
    case 'pause':
      await changeCrawl({ crawlId, state: 'paused' });
      break;
    case 'unpause':
      await changeCrawl({ crawlId, state: 'running' });
      // Its paused hosts are pending again: they wake as any other host does.
      return;
    case 'stop':
      await changeCrawl({ crawlId, state: 'stopping', finishReason: 'stopped' });
      break;
    case 'adjust':
      await changeCrawl({ crawlId, options: command.options });
      break;
    case 'requeueDeadLetters':
      await changeCrawl({ crawlId, requeueDeadLetters: true });
      return;
  }
  await forEachLiveHost(crawlId, (hostKey) => wakeHost(crawlId, hostKey));
}

/** Do something with every host that may be running, a bounded number at a time. */
export async function forEachLiveHost(
  crawlId: string,
  act: (hostKey: string) => Promise<unknown>,
): Promise<void> {
  const { liveHosts } = frontierActivities();
  for (let after = ''; ;) {
    const hosts = await liveHosts({ crawlId, after });
    for (let from = 0; from < hosts.length; from += SIGNAL_STEP) {
      await Promise.all(hosts.slice(from, from + SIGNAL_STEP).map(act));
    }
    const last = hosts.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
