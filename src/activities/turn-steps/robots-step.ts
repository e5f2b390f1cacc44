/** Robots rules of the leased URL's origin: from the store, or by asking for robots.txt. */
import { CrawlError } from '../../errors.js';
import type { DiscoveredUrl } from '../../contracts/urls.js';
import type { FetchErrorCode } from '../../errors.js';
import { createChainJar } from '../../fetch/cookies.js';
import { FAILURE_POLICY } from '../../fetch/failure-policy.js';
import type { StoredRobots } from '../../frontier/robots-store.js';
import {
  ROBOTS_MAX_BYTES,
  ROBOTS_MAX_REDIRECTS,
  robotsAccess,
  robotsRecheckMs,
  robotsUrl,
} from '../../robots/access.js';
import { withoutJunk } from '../../robots/robots-lines.js';
import { RulesMemo } from '../../robots/rules-memo.js';
import type { RobotsRules } from '../../robots/rules.js';
import { parseUrl } from '../../url/parse-url.js';
import { discover, type FoundUrl } from '../discover.js';
import { failureName } from '../failures.js';
import type { Pace } from '../gated-fetch.js';
import type { TroubleFacts } from '../host-trouble.js';
import { hostFailed } from './trouble-end.js';
import { inTurn, type StepEnd, type TurnScope } from './turn-scope.js';

/** What is known of an origin: rules, or that there are none. */
export type KnownRobots = { readonly rules: RobotsRules | null };

/** Tries of a robots.txt that fails in a way which rarely heals. */
const FINAL_TRIES = 3;

type RobotsTrouble = Pick<
  TroubleFacts,
  'what' | 'kind' | 'retryAfterMs' | 'maxTries' | 'firstRetryMs'
> & {
  readonly message: string;
};

const memo = new RulesMemo();

/**
 * Rules that are usable now; null when robots.txt must be asked first.
 *
 * @param url the leased URL, or what it redirects to within the turn
 */
export async function knownRobots(
  scope: TurnScope,
  url = scope.item.url,
): Promise<KnownRobots | null> {
  if (scope.context.settings.robots === 'ignore') return { rules: null };
  const origin = originOf(url);
  const stored = await scope.store.robots.read(origin);
  if (stored === null || stored.expiresAtMs <= Date.now()) return null;
  return usable(origin, stored);
}

function usable(origin: string, stored: StoredRobots): KnownRobots | null {
  if (stored.access === 'allowAll') return { rules: null };
  // Unreachable for now: the last good copy, if there is one.
  if (stored.body === null) return null;
  return { rules: memo.of(origin, stored.body, stored.url) };
}

/**
 * Ask for robots.txt, redirects included, every hop through its host's gate.
 *
 * @param page the leased URL, or what it redirects to within the turn
 * @returns how the step ends; the leased URL stays leased for the next one
 */
export async function robotsStep(
  scope: TurnScope,
  pace: Pace,
  page = scope.item.url,
): Promise<StepEnd> {
  const origin = originOf(page);
  const previous = await scope.store.robots.read(origin);
  const first = robotsUrl(page);
  // Some servers set a cookie and lead back: without it the chain would never end.
  const cookies = createChainJar();
  let url = first;
  let requests = 0;
  const end = { delayMs: pace.delayMs };

  const fail = async (trouble: RobotsTrouble): Promise<StepEnd> => {
    const failures = (previous?.failures ?? 0) + 1;
    const recheckMs = Math.max(robotsRecheckMs('disallowAll', failures), trouble.retryAfterMs ?? 0);
    if (previous !== null && previous.body !== null) {
      const expiresAtMs = Date.now() + recheckMs;
      await scope.store.robots.write(origin, {
        ...previous,
        access: 'disallowAll',
        failures,
        expiresAtMs,
      });
      return { ...end, requests };
    }
    const { message, ...facts } = trouble;
    const what = `robots.txt: ${trouble.what}`;
    return hostFailed(scope, { ...facts, what, isRobots: true }, { message }, { ...end, requests });
  };

  for (let hop = 0; ; hop += 1) {
    let result;
    try {
      result = await scope.gated.fetch(
        {
          url,
          settings: scope.context.settings,
          cookies,
          accept: 'text/plain,*/*;q=0.1',
          // One byte more than is read, to know that the file goes on: its last line is cut then.
          maxBytes: ROBOTS_MAX_BYTES + 1,
          onTooLarge: 'truncate',
        },
        hop === 0 ? pace : inTurn(pace),
      );
    } catch (error) {
      if (!isFetchFailure(error)) throw error;
      requests += 1;
      const policy = FAILURE_POLICY[error.code as FetchErrorCode];
      if (policy.concerns === 'engine') throw error;
      // A private address stays private: the page itself will say so. A redirect to one is no
      // answer, and tells nothing of what may be fetched.
      if (error.code === 'FETCH_PRIVATE_ADDRESS' && hop === 0) {
        await store(scope, origin, { access: 'allowAll', body: null, url: first });
        return { ...end, requests: requests - 1 };
      }
      return fail({
        what: failureName(error),
        kind: 'transport',
        message: error.message,
        retryAfterMs: null,
        // What is final for a URL gets better for no robots.txt either: no HTTP, endless headers.
        maxTries: policy.retryable ? policy.maxTries : FINAL_TRIES,
        firstRetryMs: policy.firstRetryMs,
      });
    }
    if (result.kind === 'wait') {
      return { ...end, requests, wait: { waitMs: result.waitMs, reason: result.reason } };
    }
    requests += 1;
    const { response } = result;
    const target = response.location === null ? null : parseUrl(response.location);
    if (target !== null && hop < ROBOTS_MAX_REDIRECTS) {
      url = target;
      continue;
    }
    if (response.status === 304 && previous !== null && previous.body !== null) {
      // Nobody asked for it, but what it says is plain: the copy at hand is the file.
      await store(scope, origin, { access: 'parse', body: previous.body, url: first });
      return { ...end, requests, hostOutcome: 'ok' };
    }
    const access = robotsAccess({ status: response.status });
    if (access === 'disallowAll') {
      return fail({
        what: `HTTP ${response.status}`,
        kind: 'robots',
        message: `${url} answered ${response.status}`,
        retryAfterMs: result.retryAfterMs,
        maxTries: null,
      });
    }
    const body =
      access === 'parse' ? Buffer.from(withoutJunk(response.body)).toString('base64') : null;
    await store(scope, origin, { access, body, url: first });
    const discovered = body === null ? [] : sitemapsOf(scope, memo.of(origin, body, first), first);
    return { ...end, requests, hostOutcome: 'ok', discovered };
  }
}

/** Sitemaps that robots.txt names are queued like any other URL of the crawl. */
function sitemapsOf(scope: TurnScope, rules: RobotsRules, url: string): DiscoveredUrl[] {
  if (!scope.context.settings.sitemaps) return [];
  const found = rules.sitemaps.map<FoundUrl>((sitemap) => ({
    url: sitemap,
    hop: 'M',
    kind: 'sitemap',
  }));
  return discover(scope.context, { url, depth: 0, hops: '', kind: 'sitemap' }, found).admitted;
}

async function store(
  scope: TurnScope,
  origin: string,
  robots: Pick<StoredRobots, 'access' | 'body' | 'url'>,
): Promise<void> {
  await scope.store.robots.write(origin, {
    ...robots,
    failures: 0,
    expiresAtMs: Date.now() + robotsRecheckMs(robots.access),
  });
}

function originOf(url: string): string {
  return new URL(url).origin;
}

export function isFetchFailure(error: unknown): error is CrawlError {
  return error instanceof CrawlError && error.code in FAILURE_POLICY;
}
