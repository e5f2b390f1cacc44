/** Activities of the parent: short frontier steps, and the long poll for hosts. */
import { Context } from '@temporalio/activity';
import type { CrawlChange, FrontierActivities } from '../contracts/activities.js';
import type { CrawlState, CrawlStatus, NextHosts } from '../contracts/frontier.js';
import type { RefusedSeed } from '../contracts/crawl.js';
import { withoutCredentials } from '../config/seed-text.js';
import { resolveAdjustments, resolveCrawlOptions } from '../config/resolve.js';
import { ConfigError, FrontierError } from '../errors.js';
import { requeueAll } from '../frontier/requeue.js';
import { beating } from './beating.js';
import type { ActivityDeps, CrawlStore } from './deps.js';
import { withFailures } from './failures.js';
import { pause } from './pause.js';
import { progressOf, readCrawl } from './read-crawl.js';
import { plantSeeds } from './seeds.js';

/** Hosts named in one reply: children started by one workflow task. */
const HOSTS_PER_POLL = 50;
/** The frontier is looked at so often while there is nothing to tell. */
const POLL_MS = 100;
/** Without news, the parent shows the counters anew after this. */
const NEWS_MS = 20_000;
/** Hosts of one page of a walk. */
const PAGE = 500;
/** Time in which a cancelled host closes, before the sweep may start it again. */
const RELEASED_MS = 2000;

const OVER: readonly CrawlState[] = ['finished', 'failed', 'cancelled'];

export function createFrontierActivities(
  deps: Pick<ActivityDeps, 'crawl' | 'isDraining' | 'onTrouble'>,
): FrontierActivities {
  return beating(
    withFailures<FrontierActivities>(
      {
        async openCrawl({
          crawlId,
          seeds = [],
          options = {},
          resume = false,
          moreSeeds,
          requestId,
        }) {
          const store = deps.crawl(crawlId);
          if (resume) {
            await reopenCrawl(store, options);
            const planted = await plantSeeds(store, seeds);
            if (moreSeeds === false) await store.frontier.seedsAreAllThere();
            return { refusedSeeds: planted.refusedSeeds, state: 'running' };
          }
          const { settings } = resolveCrawlOptions({
            ...options,
            seeds: ['http://checked.later/'],
          });
          const shown = seeds.slice(0, SEEDS_SHOWN).map(withoutCredentials);
          await store.frontier.create({ settings, seeds: shown, moreSeeds }, requestId);
          const { admitted, refused, refusedSeeds } = await plantSeeds(store, seeds);
          if (admitted === 0) {
            await store.frontier.setState('failed', 'failed');
            throw noSeedLeft(refused, refusedSeeds);
          }
          return { refusedSeeds, state: 'running' };
        },

        async addSeeds({ crawlId, seeds, moreSeeds }) {
          const store = deps.crawl(crawlId);
          const { added, refusedSeeds } = await plantSeeds(store, seeds);
          if (moreSeeds === false) await store.frontier.seedsAreAllThere();
          return { added, refusedSeeds };
        },

        async nextHosts({ crawlId, owner, requestId, version }) {
          const { frontier } = deps.crawl(crawlId);
          const context = Context.current();
          const askedAt = performance.now();
          for (;;) {
            const next = await frontier.nextHosts({ owner, requestId, max: HOSTS_PER_POLL });
            const isLate = performance.now() - askedAt > NEWS_MS || deps.isDraining();
            if (isNews(next, version) || isLate) return next;
            await pause(POLL_MS, context.cancellationSignal);
          }
        },

        async changeCrawl(change) {
          const store = deps.crawl(change.crawlId);
          const { frontier } = store;
          await carryOut(store, change);
          return (await frontier.status()).state;
        },

        async recountCrawl({ crawlId }) {
          await deps.crawl(crawlId).frontier.recount();
        },

        liveHosts: ({ crawlId, after = '' }) =>
          deps.crawl(crawlId).frontier.liveHosts({ after, limit: PAGE }),

        async releaseHost({ crawlId, hostKey, owner, turn }) {
          const { frontier } = deps.crawl(crawlId);
          const claim = { hostKey, owner, turn, attempt: Context.current().info.attempt };
          // In a crawl that runs, the host is overdue as soon as this run has closed: it goes on.
          const reply = await frontier.completeAndLease({ claim, leaseMs: RELEASED_MS });
          if (reply.status !== 'lease') return;
          const completion = { url: reply.item.url, outcome: 'released' } as const;
          await frontier.completeAndLease({ claim, seq: 1, completion, lease: false });
        },

        async finishCrawl(change) {
          const store = deps.crawl(change.crawlId);
          const before = await store.frontier.status();
          if (change.state && !OVER.includes(before.state)) await carryOut(store, change);
          const status = await store.frontier.status();
          return {
            ...progressOf(status),
            durationMs: (status.finishedAtMs ?? Date.now()) - change.startedAtMs,
          };
        },

        readCrawl: (request) => readCrawl(deps.crawl(request.crawlId).frontier, request),
      },
      deps.onTrouble,
    ),
  );
}

/** Seeds that a crawl's record shows. */
const SEEDS_SHOWN = 100;

function isNews(next: NextHosts, version: number): boolean {
  return (
    next.hosts.length > 0 ||
    next.isDone ||
    next.isFenced ||
    next.needsRecount ||
    next.version !== version
  );
}

async function carryOut({ frontier }: CrawlStore, change: CrawlChange): Promise<void> {
  if (change.from) refuseUnless(change.from, await frontier.status(), change.state);
  if (change.options) await frontier.adjust(resolveAdjustments(change.options));
  if (change.state) await frontier.setState(change.state, change.finishReason);
  if (change.requeueDeadLetters) {
    const { deadLetters } = (await frontier.status()).totals;
    await requeueAll(deadLetters, (most) => frontier.requeueDeadLetters(most));
  }
  if (change.requeueHeld) {
    const { trapped } = (await frontier.status()).totals;
    await requeueAll(trapped, (most) => frontier.requeueHeld(most));
  }
  if (change.state === 'running' || change.options) await reopenHosts(frontier, false);
}

function refuseUnless(
  allowed: readonly CrawlState[],
  { crawlId, state }: CrawlStatus,
  target: CrawlState | undefined,
): void {
  if (allowed.includes(state)) return;
  throw new FrontierError(
    'FRONTIER_CRAWL_STATE',
    `crawl "${crawlId}" is ${state} and can't become ${String(target)} by this command; resume it once it has ended`,
    { details: { state, target } },
  );
}

async function reopenCrawl(
  { frontier }: CrawlStore,
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (Object.keys(options).length > 0) await frontier.adjust(resolveAdjustments(options));
  await frontier.setState('running');
  // Whatever ran may be gone with the Temporal that ran it: everything is overdue at once.
  await reopenHosts(frontier, true);
}

async function reopenHosts(frontier: CrawlStore['frontier'], overdue: boolean): Promise<void> {
  for (let after: string | null = ''; after !== null;) {
    after = await frontier.reopen({ after, limit: PAGE, overdue });
  }
}

function noSeedLeft(count: number, refused: readonly RefusedSeed[]): ConfigError {
  const shown = refused
    .slice(0, 5)
    .map(({ seed, reason }) => `"${seed}": ${reason}`)
    .join('; ');
  return new ConfigError(
    'CONFIG_INVALID_OPTION',
    count === 0
      ? 'seeds: expected at least one URL, got none; name one to start from'
      : `seeds: none of ${count} can be crawled: ${shown}`,
  );
}
