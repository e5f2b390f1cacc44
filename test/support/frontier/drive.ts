/** Driving a frontier in tests as a parent workflow and host workflows do. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  Claim,
  Completion,
  Frontier,
  NextHosts,
  TurnReply,
  TurnStep,
} from '../../../src/contracts/frontier.js';
import type { FrontierTimes } from '../../../src/frontier/redis-frontier.js';
import type { CrawlSettings } from '../../../src/contracts/settings.js';
import { claimOf, crawlSettings, newCrawlId, owner } from './builders.js';

/** A kind of frontier that the suite is run against. */
export interface BackEnd {
  readonly dedupe: CrawlSettings['dedupe'];
  /** Another view of the same crawl for the same id. */
  make(crawlId: string, times?: FrontierTimes): Frontier;
}

/** A new crawl, running, with no URLs. */
export async function openCrawl(
  backEnd: BackEnd,
  settings: Partial<CrawlSettings> = {},
  times: FrontierTimes = {},
): Promise<Frontier> {
  const frontier = backEnd.make(newCrawlId(), times);
  const resolved = crawlSettings({ dedupe: backEnd.dedupe, ...settings });
  await frontier.create({ settings: resolved, seeds: [] }, randomUUID());
  return frontier;
}

/** Ask for hosts as the crawl's only parent. */
export function askNextHosts(
  frontier: Frontier,
  request: Partial<Parameters<Frontier['nextHosts']>[0]> = {},
): Promise<NextHosts> {
  return frontier.nextHosts({ owner: owner(0), requestId: randomUUID(), max: 50, ...request });
}

/** Keys of the hosts that are nominated now. */
export async function nominated(frontier: Frontier, max = 50): Promise<string[]> {
  return (await askNextHosts(frontier, { max })).hosts.map((host) => host.hostKey);
}

/** One run of a host: numbers its steps. */
export class HostRun {
  readonly claim: Claim;
  private readonly frontier: Frontier;
  private seq = 0;

  constructor(frontier: Frontier, hostKey: string, changes: Partial<Claim> = {}) {
    this.frontier = frontier;
    this.claim = claimOf(hostKey, changes);
  }

  /** Ask for a lease, recording nothing. */
  lease(changes: Partial<TurnStep> = {}): Promise<TurnReply> {
    return this.frontier.completeAndLease({ claim: this.claim, ...changes });
  }

  /** Complete the URL and ask for the next. */
  complete(
    url: string,
    outcome: Completion['outcome'] = 'fetched',
    more: Partial<Completion> = {},
    step: Partial<TurnStep> = {},
  ): Promise<TurnReply> {
    this.seq += 1;
    const completion = { url, outcome, ...more };
    return this.frontier.completeAndLease({
      claim: this.claim,
      seq: this.seq,
      completion,
      ...step,
    });
  }

  /** Record how the host answered. */
  hostOutcome(hostOutcome: 'ok' | 'failure', step: Partial<TurnStep> = {}): Promise<TurnReply> {
    this.seq += 1;
    return this.frontier.completeAndLease({
      claim: this.claim,
      seq: this.seq,
      hostOutcome,
      ...step,
    });
  }

  /** Fetch until there is no more lease. @returns URLs in their order, and the last reply */
  async work(limit = Number.POSITIVE_INFINITY): Promise<{ urls: string[]; last: TurnReply }> {
    const urls: string[] = [];
    let last = await this.lease();
    while (last.status === 'lease' && urls.length < limit) {
      urls.push(last.item.url);
      last = await this.complete(last.item.url);
    }
    return { urls, last };
  }
}

/** Nominate and work off everything that is due. @returns URLs completed */
export async function workOff(frontier: Frontier, claim: Partial<Claim> = {}): Promise<string[]> {
  const urls: string[] = [];
  for (;;) {
    const hosts = await nominated(frontier);
    if (hosts.length === 0) return urls;
    for (const host of hosts) urls.push(...(await new HostRun(frontier, host, claim).work()).urls);
  }
}

/** The leased URL, or an error that shows the reply. */
export function leasedUrl(reply: TurnReply): string {
  if (reply.status !== 'lease') throw new Error(`no lease: ${JSON.stringify(reply)}`);
  return reply.item.url;
}

/** Look again and again until something is there; vitest's timeout bounds it. */
export async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await delay(10);
  }
}
