/** Robots rules of the leased URL's origin: from the store, or by asking for robots.txt. */
import { CrawlError } from '../../errors.js';
import type { DiscoveredUrl } from '../../contracts/urls.js';
import type { FetchErrorCode } from '../../errors.js';
import { FAILURE_POLICY } from '../../fetch/failure-policy.js';
import type { StoredRobots } from '../../frontier/robots-store.js';
import {
  ROBOTS_MAX_BYTES,
  ROBOTS_MAX_REDIRECTS,
  robotsAccess,
  robotsRecheckMs,
  robotsUrl,
} from '../../robots/access.js';
import { parseRobots, type RobotsRules } from '../../robots/rules.js';
import { parseUrl } from '../../url/parse-url.js';
import { discover, type FoundUrl } from '../discover.js';
import type { Pace } from '../gated-fetch.js';
import type { TroubleFacts } from '../host-trouble.js';
import { hostFailed } from './trouble-end.js';
import { inTurn, type StepEnd, type TurnScope } from './turn-scope.js';

/** What is known of an origin: rules, or that there are none. */
export type KnownRobots = { readonly rules: RobotsRules | null };

type RobotsTrouble = Pick<TroubleFacts, 'what' | 'kind' | 'retryAfterMs' | 'maxTries'> & {
  readonly message: string;
};

/** Rules that are usable now; null when robots.txt must be asked first. */
export async function knownRobots(scope: TurnScope): Promise<KnownRobots | null> {
  if (scope.context.settings.robots === 'ignore') return { rules: null };
  const origin = originOf(scope.item.url);
  const stored = await scope.store.robots.read(origin);
  if (stored === null || stored.expiresAtMs <= Date.now()) return null;
  return usable(origin, stored);
}

function usable(origin: string, stored: StoredRobots): KnownRobots | null {
  if (stored.access === 'allowAll') return { rules: null };
  // Unreachable for now: the last good copy, if there is one.
  if (stored.body === null) return null;
  return { rules: parsed.of(origin, stored.body, stored.url) };
}

/** Parsed rules, so that a large file is not parsed for every page; keyed by their very text. */
class ParsedRobots {
  private readonly kept = new Map<string, { body: string; rules: RobotsRules }>();

  of(origin: string, body: string, url: string): RobotsRules {
    const known = this.kept.get(origin);
    if (known?.body === body) return known.rules;
    const rules = parseRobots(Buffer.from(body, 'base64'), url);
    this.kept.set(origin, { body, rules });
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_PARSED && oldest !== undefined) this.kept.delete(oldest);
    return rules;
  }
}

const MAX_PARSED = 1000;
const parsed = new ParsedRobots();

/**
 * Ask for robots.txt, redirects included, every hop through its host's gate.
 *
 * @returns how the step ends; the leased URL stays leased for the next one
 */
export async function robotsStep(scope: TurnScope, pace: Pace): Promise<StepEnd> {
  const origin = originOf(scope.item.url);
  const previous = await scope.store.robots.read(origin);
  const first = robotsUrl(scope.item.url);
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
          accept: 'text/plain,*/*;q=0.1',
          maxBytes: ROBOTS_MAX_BYTES,
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
        what: error.code,
        kind: 'transport',
        message: error.message,
        retryAfterMs: null,
        maxTries: policy.maxTries,
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
    const body = access === 'parse' ? response.body.toString('base64') : null;
    await store(scope, origin, { access, body, url: first });
    return { ...end, requests, hostOutcome: 'ok', discovered: sitemapsOf(scope, body, first) };
  }
}

/** Sitemaps that robots.txt names are queued like any other URL of the crawl. */
function sitemapsOf(scope: TurnScope, body: string | null, url: string): DiscoveredUrl[] {
  if (body === null || !scope.context.settings.sitemaps) return [];
  const found = parseRobots(Buffer.from(body, 'base64'), url).sitemaps.map<FoundUrl>((sitemap) => ({
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
