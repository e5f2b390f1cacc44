/** Watching a crawl from outside: looks at the frontier for a display, waits for the workflow's end. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { CrawlHandle } from '../client/crawl-handle.js';
import type { CrawlResult } from '../contracts/crawl.js';
import type { HostStatus } from '../contracts/frontier.js';
import { CrawlError } from '../errors.js';
import type { RedisFrontier } from '../frontier/redis-frontier.js';
import type { Display } from './display/display.js';
import type { Snapshot } from './display/snapshot.js';

const LOOK_EVERY_MS = 500;
/** Hosts read at one look; of a larger crawl, the next ones come with the next look. */
const HOSTS_PER_LOOK = 500;
const ASK_AGAIN_MS = 1000;
/** A wait's signal is renewed so often: each of the SDK's long polls leaves a listener on it. */
const ROUND_MS = 60_000;

/** Hosts with something to tell, kept up to date a page at a time. */
export class HostWindow {
  private readonly kept = new Map<string, HostStatus>();
  private after = '';

  async look(frontier: Pick<RedisFrontier, 'hosts'>): Promise<HostStatus[]> {
    const page = await frontier.hosts({ after: this.after, limit: HOSTS_PER_LOOK });
    for (const host of page) {
      if (host.state === 'idle' && host.queued === 0) this.kept.delete(host.hostKey);
      else this.kept.set(host.hostKey, host);
    }
    this.after = page.length < HOSTS_PER_LOOK ? '' : (page.at(-1)?.hostKey ?? '');
    return [...this.kept.values()];
  }
}

/** Feed a display until `signal` is aborted. Never throws: a Redis that is away shows as such. */
export async function feedDisplay(
  frontier: RedisFrontier,
  display: Pick<Display, 'update'>,
  signal: AbortSignal,
): Promise<void> {
  const window = new HostWindow();
  let last: Snapshot | undefined;
  while (!signal.aborted) {
    try {
      const status = await frontier.status();
      last = { status, hosts: await window.look(frontier), atMs: Date.now() };
      display.update(last);
    } catch (error) {
      // Not there yet: the first activity makes it.
      const isYoung = error instanceof CrawlError && error.code === 'FRONTIER_CRAWL_NOT_FOUND';
      if (!isYoung && last) display.update({ ...last, isStale: true });
    }
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Wait for the end of the crawl's workflow, also over restarts of Temporal.
 *
 * @returns undefined when `signal` was aborted first
 * @throws the crawl's own failure, as a CrawlError
 */
export async function awaitResult(
  client: Pick<Client, 'withAbortSignal'>,
  handle: Pick<CrawlHandle, 'result'>,
  signal: AbortSignal,
): Promise<CrawlResult | undefined> {
  while (!signal.aborted) {
    const round = new AbortController();
    const onAbort = (): void => round.abort(signal.reason);
    signal.addEventListener('abort', onAbort);
    const timer = setTimeout(() => round.abort(), ROUND_MS);
    try {
      // Long polls: they must not outlive the connection.
      return await client.withAbortSignal(round.signal, () => handle.result());
    } catch (error) {
      if (signal.aborted) return undefined;
      if (round.signal.aborted) continue;
      const isPassing = error instanceof CrawlError && error.retryable;
      if (!isPassing) throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
    await delay(ASK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}
