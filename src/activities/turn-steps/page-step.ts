/** The leased URL itself: request it, follow what leads back to itself, read what it says. */
import type { CrawlError, FetchErrorCode } from '../../errors.js';
import { createChainJar } from '../../fetch/cookies.js';
import { FAILURE_POLICY, statusPolicy } from '../../fetch/failure-policy.js';
import type { FetchResponse, ResponseHead } from '../../fetch/fetch-types.js';
import { isChoice, isPartial } from '../../fetch/response-head.js';
import { MAX_SITEMAP_BYTES } from '../../parse/sitemap/sitemap.js';
import { parseUrl } from '../../url/parse-url.js';
import { hostKey } from '../../url/host-key.js';
import { discover, endsAtEmbed } from '../discover.js';
import { failureName } from '../failures.js';
import type { Pace } from '../gated-fetch.js';
import { readDocument } from './read-document.js';
import { isFetchFailure } from './robots-step.js';
import { hostFailed, urlFailed } from './trouble-end.js';
import { inTurn, recordOf, type StepEnd, type TurnScope } from './turn-scope.js';
import { isCookieWall, isLeasedPage, refuseWayBack } from './way-back.js';

/** Redirects in a row, within a turn or from URL to URL; browsers stop at 20, RFC 9110 at none. */
const MAX_REDIRECTS = 10;

export async function pageStep(scope: TurnScope, pace: Pace): Promise<StepEnd> {
  const { item, context } = scope;
  const { settings } = context;
  const jar = settings.cookies
    ? scope.deps.jars.jarOf(context.crawlId, hostKey(item.url))
    : createChainJar();
  let url = item.url;
  let requests = 0;
  let behindWall: string | null = null;

  for (let hop = 0; ; hop += 1) {
    let result;
    try {
      result = await scope.gated.fetch(
        {
          url,
          settings,
          cookies: jar,
          ...(item.kind === 'sitemap' && {
            accept: 'application/xml,text/xml,text/plain,*/*;q=0.1',
            // The protocol's own limit, and what is longer is read up to there.
            maxBytes: Math.max(settings.maxBytes, MAX_SITEMAP_BYTES),
            onTooLarge: 'truncate' as const,
          }),
          wantsBody: (head) => item.kind === 'sitemap' || endsAtEmbed(item.hops) || mayBePage(head),
        },
        hop === 0 ? pace : inTurn(pace),
      );
    } catch (error) {
      if (!isFetchFailure(error)) throw error;
      return fetchFailed(scope, error, url, requests + 1, pace);
    }
    if (result.kind === 'wait') {
      // Asked in mid-chain: the chain starts anew after the wait, bounded by the URL's tries.
      const wait = { waitMs: result.waitMs, reason: result.reason };
      return { requests, delayMs: pace.delayMs, wait };
    }
    requests += 1;
    const { response } = result;
    if (leadsElsewhere(response)) {
      const target = response.location === null ? null : parseUrl(response.location);
      const isOwn = target !== null && isLeasedPage(scope, target);
      const isWall = target !== null && !isOwn && isCookieWall(scope, target, jar);
      // Behind a wall there is a page or, once more, a redirect: then the cookie opened nothing.
      if (target !== null && hop < MAX_REDIRECTS && behindWall === null && (isOwn || isWall)) {
        if (isWall) behindWall = target;
        const end = await refuseWayBack(scope, target, inTurn(pace));
        if (end) return { ...end, requests: requests + end.requests };
        url = target;
        continue;
      }
      return redirected(
        scope,
        response,
        isOwn ? (behindWall ?? target) : target,
        target !== null && hop >= MAX_REDIRECTS,
        requests,
        pace,
      );
    }
    // 304 and 206 answer a condition and a range, and none was sent: there is no whole page.
    const isPage = response.status !== 304 && !isPartial(response.status, response.headers);
    if (!isPage || response.status >= 400) {
      return refused(scope, response, result.retryAfterMs, requests, pace);
    }
    const end = await readDocument(scope, response);
    return { ...end, requests, delayMs: pace.delayMs, hostOutcome: 'ok' };
  }
}

/** 304 answers a condition; a choice without a preferred page is a page with links to all of them. */
function leadsElsewhere({ status, location }: FetchResponse): boolean {
  if (status < 300 || status >= 400 || status === 304) return false;
  return location !== null || !isChoice(status);
}

/** Bodies that can't hold links are not read: the type says so. */
function mayBePage({ contentType }: ResponseHead): boolean {
  if (contentType === null) return true;
  return !/^\s*(image|audio|video|font|multipart)\/|^\s*application\/(pdf|zip|gzip|x-gzip|octet-stream|vnd\.)/i.test(
    contentType,
  );
}

function redirected(
  scope: TurnScope,
  response: FetchResponse,
  target: string | null,
  isLoop: boolean,
  requests: number,
  pace: Pace,
): StepEnd {
  const { item, context } = scope;
  const facts = {
    status: response.status,
    contentType: response.contentType,
    fetchMs: Math.round(response.durationMs),
  };
  const end = { requests, delayMs: pace.delayMs, hostOutcome: 'ok' as const };
  const hopsInARow = /R*$/.exec(item.hops)?.[0].length ?? 0;
  if (isLoop || hopsInARow >= MAX_REDIRECTS) {
    return urlFailed(scope, { reason: 'FETCH_TOO_MANY_REDIRECTS', retryable: false, facts }, end);
  }
  if (target === null) {
    return urlFailed(scope, { reason: 'FETCH_BAD_REDIRECT', retryable: false, facts }, end);
  }
  const { admitted, rejected } = discover(context, item, [
    { url: target, hop: 'R', kind: item.kind },
  ]);
  return {
    ...end,
    completion: { url: item.url, outcome: 'redirected', rejected },
    record: recordOf(scope, { outcome: 'redirected', reason: null, finalUrl: target, ...facts }),
    discovered: admitted,
  };
}

function refused(
  scope: TurnScope,
  response: FetchResponse,
  retryAfterMs: number | null,
  requests: number,
  pace: Pace,
): StepEnd {
  const { status } = response;
  const policy = statusPolicy(status);
  const facts = {
    status,
    contentType: response.contentType,
    finalUrl: response.url,
    fetchMs: Math.round(response.durationMs),
  };
  const reason = `HTTP ${status}`;
  const rest = { requests, delayMs: pace.delayMs };
  if (policy.concerns === 'host') {
    return hostFailed(
      scope,
      { what: reason, kind: 'busy', retryAfterMs, maxTries: null },
      { message: `${response.url} answered ${status}`, facts },
      rest,
    );
  }
  return urlFailed(
    scope,
    { reason, retryable: policy.retryable, facts },
    { ...rest, hostOutcome: 'ok' },
  );
}

function fetchFailed(
  scope: TurnScope,
  error: CrawlError,
  url: string,
  requests: number,
  pace: Pace,
): StepEnd {
  const code = error.code as FetchErrorCode;
  const policy = FAILURE_POLICY[code];
  const rest = { requests, delayMs: pace.delayMs };
  const facts = { finalUrl: url };
  if (policy.concerns === 'engine') {
    scope.signal.throwIfAborted();
    return { ...rest, wait: { waitMs: Math.max(1000, pace.delayMs), reason: code } };
  }
  if (code === 'FETCH_PRIVATE_ADDRESS' || code === 'FETCH_BODY_TOO_LARGE') {
    const reason = code === 'FETCH_PRIVATE_ADDRESS' ? 'privateAddress' : 'tooLarge';
    return {
      ...rest,
      completion: { url: scope.item.url, outcome: 'skipped', reason },
      record: recordOf(scope, { outcome: 'skipped', reason, ...facts }),
    };
  }
  if (policy.concerns === 'host') {
    return hostFailed(
      scope,
      {
        what: failureName(error),
        kind: 'transport',
        retryAfterMs: null,
        maxTries: policy.maxTries,
        firstRetryMs: policy.firstRetryMs,
      },
      { message: error.message, facts },
      rest,
    );
  }
  return urlFailed(
    scope,
    { reason: code, retryable: policy.retryable, facts },
    { ...rest, hostOutcome: 'ok' },
  );
}
