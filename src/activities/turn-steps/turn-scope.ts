/** What every step of a turn works with, and how a step ends. */
import type { Completion, HostWait } from '../../contracts/frontier.js';
import type { TurnInput } from '../../contracts/activities.js';
import type { DiscoveredUrl, QueuedUrl, SinkRecord } from '../../contracts/urls.js';
import { fingerprintOf } from '../../url/canonical-url.js';
import type { CrawlContext } from '../crawl-context.js';
import type { CrawlStore, ActivityDeps } from '../deps.js';
import type { GatedFetcher, Pace } from '../gated-fetch.js';
import { sitemapPrintOf } from '../sitemap-trust.js';

export interface TurnScope {
  readonly deps: ActivityDeps;
  readonly store: CrawlStore;
  readonly context: CrawlContext;
  readonly input: TurnInput;
  readonly attempt: number;
  readonly gated: GatedFetcher;
  /** Ends the turn: cancelled, or its worker shuts down. */
  readonly signal: AbortSignal;
  /** The leased URL. */
  readonly item: QueuedUrl;
  /** Consecutive failures of the host before this step, and since when. */
  readonly hostFailures: number;
  readonly failingForMs: number;
}

/** How a step ends. What it found is stored and queued before it completes. */
export interface StepEnd {
  /** Requests that were sent. */
  readonly requests: number;
  /** The leased URL is done with; none: it stays leased for the next step. */
  readonly completion?: Completion;
  readonly record?: SinkRecord;
  readonly discovered?: readonly DiscoveredUrl[];
  readonly hostOutcome?: 'ok' | 'failure';
  /** Leave the host alone for so long. */
  readonly wait?: HostWait;
  /** Give the host up, for this reason. */
  readonly block?: string;
  /** Fail the activity, to be retried after so long. */
  readonly retry?: { readonly code: string; readonly message: string; readonly retryMs: number };
  /** Delay that the host asks for and gets from now on. */
  readonly delayMs: number;
}

/** A request that is not the first of its turn may wait its delay out within the turn. */
export function inTurn(pace: Pace): Pace {
  return { ...pace, patienceMs: Math.max(pace.patienceMs, pace.delayMs + 5000) };
}

type RecordFacts = Pick<SinkRecord, 'outcome' | 'reason'> & Partial<SinkRecord>;

/** The sink record of the leased URL. */
export function recordOf(
  scope: Pick<TurnScope, 'context' | 'item' | 'input' | 'attempt'>,
  facts: RecordFacts,
): SinkRecord {
  const { item, input, attempt } = scope;
  const { canonical } = scope.context.settings;
  return {
    url: item.url,
    finalUrl: item.url,
    status: null,
    contentType: null,
    bytes: 0,
    digest: null,
    textDigest: null,
    depth: item.depth,
    hops: item.hops,
    via: item.via === '' ? null : item.via,
    title: null,
    fetchedAt: new Date().toISOString(),
    fetchMs: 0,
    links: 0,
    truncated: false,
    noindex: false,
    fingerprint:
      item.kind === 'sitemap'
        ? sitemapPrintOf(item, canonical)
        : fingerprintOf(item.url, canonical),
    kind: item.kind,
    owner: input.owner,
    turn: input.turn,
    attempt,
    ...facts,
  };
}
