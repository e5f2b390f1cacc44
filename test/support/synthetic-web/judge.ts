/**
 * Judges a crawl from the server's side. Pure functions over the log of requests; they know nothing
 * of the crawler. Times are those of {@link RequestRecord}: a request starts when its headers have
 * arrived and ends just before the last bytes of its answer go out (or, broken off, when the server
 * sees the connection close). A gap runs from the end of one answer to the start of the next request
 * to the same host, whatever the two are: pages, robots.txt, sitemaps, redirects.
 *
 * That the end is stamped before the bytes leave, and the start after they came in, makes the gap
 * as measured at least as long as the gap that the client kept: no honest crawler is accused, and
 * what is missed is the time that loopback takes.
 */
import type { SyntheticManifest } from './manifest.js';
import { pageIdentity, requestIdentity } from './page-identity.js';
import type { RequestRecord } from './request-log.js';

/** Two requests to one host that came too close. */
export interface PolitenessBreach {
  readonly host: string;
  readonly rule: 'one at a time' | 'gap' | 'Retry-After';
  readonly before: RequestRecord;
  readonly after: RequestRecord;
  /** From end to start; negative when they overlapped; null when the first has not ended. */
  readonly gapMs: number | null;
  readonly neededMs: number;
}

/** What politeness asks for. */
export interface PolitenessRules {
  /** Least gap between the end of an answer and the next request to the same host. */
  readonly minGapMs: number;
  /** Hosts that need more (Crawl-delay), in ms by host name. @default {} */
  readonly perHostDelayMs?: Readonly<Record<string, number>>;
  /** Must a Retry-After of a 429 or 503 be waited out? @default true */
  readonly honourRetryAfter?: boolean;
  /**
   * Grace after requests that the client broke off: the server sees that later than the client
   * did it. @default 5
   */
  readonly abortedGraceMs?: number;
}

/** Every breach of politeness, in order of time within each host. */
export function politenessBreaches(
  log: readonly RequestRecord[],
  rules: PolitenessRules,
): PolitenessBreach[] {
  const breaches: PolitenessBreach[] = [];
  for (const [host, requests] of byHost(log)) {
    const delayMs = Math.max(rules.minGapMs, rules.perHostDelayMs?.[host] ?? 0);
    // The request that ended last so far; one still in flight never ends.
    let before: RequestRecord | undefined;
    for (const after of requests) {
      if (before) {
        const breach = judgePair(host, before, after, delayMs, rules);
        if (breach) breaches.push(breach);
      }
      if (!before || (after.endMs ?? Infinity) >= (before.endMs ?? Infinity)) before = after;
    }
  }
  return breaches;
}

function judgePair(
  host: string,
  before: RequestRecord,
  after: RequestRecord,
  delayMs: number,
  rules: PolitenessRules,
): PolitenessBreach | undefined {
  const gapMs = before.endMs === null ? null : after.startMs - before.endMs;
  const graceMs = before.aborted ? (rules.abortedGraceMs ?? 5) : 0;
  const pair = { host, before, after, gapMs };
  if (gapMs === null || gapMs + graceMs < 0) return { ...pair, rule: 'one at a time', neededMs: 0 };
  if (gapMs + graceMs < delayMs) return { ...pair, rule: 'gap', neededMs: delayMs };
  const retryAfterMs = (rules.honourRetryAfter ?? true) ? (before.retryAfterMs ?? 0) : 0;
  if (gapMs + graceMs < retryAfterMs) {
    return { ...pair, rule: 'Retry-After', neededMs: retryAfterMs };
  }
  return undefined;
}

/**
 * Assert that at most one request was in flight per host, and that each came late enough.
 *
 * @throws Error that names the first offending pairs
 */
export function assertPolite(log: readonly RequestRecord[], rules: PolitenessRules): void {
  const breaches = politenessBreaches(log, rules);
  if (breaches.length === 0) return;
  const shown = breaches.slice(0, 5).map(describeBreach);
  throw new Error(`${breaches.length} breaches of politeness:\n${shown.join('\n')}`);
}

function describeBreach(breach: PolitenessBreach): string {
  const { host, rule, before, after, gapMs, neededMs } = breach;
  const one = (request: RequestRecord): string =>
    `#${request.id} ${request.method} ${request.path} (status ${request.status}, ` +
    `${request.startMs.toFixed(1)} to ${request.endMs?.toFixed(1) ?? 'open'}` +
    `${request.aborted ? ', aborted' : ''}, ${request.userAgent})`;
  const gap = gapMs === null ? 'in flight' : `${gapMs.toFixed(1)} ms`;
  return `${host}: ${rule}: ${gap}, needs ${neededMs} ms\n  ${one(before)}\n  ${one(after)}`;
}

/**
 * Pages answered with 200 more than once, however their URL was spelt, with the count. An answer that
 * the client broke off counts: it cost the server a page.
 */
export function repeats(log: readonly RequestRecord[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const request of log) {
    if (request.status !== 200 || request.kind === 'robots') continue;
    const identity = requestIdentity(request);
    counts.set(identity, (counts.get(identity) ?? 0) + 1);
  }
  return new Map([...counts].filter(([, count]) => count > 1));
}

/** Requests for what robots.txt forbids, or for what only nofollow links name. */
export function robotsBreaches(
  log: readonly RequestRecord[],
  manifest: SyntheticManifest,
): RequestRecord[] {
  const forbidden = identities([...manifest.disallowed, ...manifest.unfollowed]);
  return log.filter((request) => forbidden.has(requestIdentity(request)));
}

/** Requests for what nothing on the web links to: misread links. Robots and sitemaps aside. */
export function strays(
  log: readonly RequestRecord[],
  manifest: SyntheticManifest,
): RequestRecord[] {
  const known = identities([
    ...manifest.pages,
    ...manifest.noindex,
    ...manifest.redirects,
    ...manifest.failures,
    ...manifest.files,
    ...manifest.disallowed,
    ...manifest.unfollowed,
  ]);
  return log.filter(
    (request) =>
      request.kind !== 'robots' &&
      request.kind !== 'sitemap' &&
      !/\.css$|^\/robots-moved\.txt$/.test(request.path) &&
      !known.has(requestIdentity(request)),
  );
}

/** How exported pages compare with what should be there. */
export interface Coverage {
  /** Expected, not exported. */
  readonly missing: string[];
  /** Exported, not expected. */
  readonly extra: string[];
  /** Exported more than once, however spelt. */
  readonly doubled: string[];
}

/**
 * Compare the URLs of exported pages (fetched ones: no redirects, no failures) with the manifest.
 * noindex pages and files may be exported or not; they only count when doubled.
 */
export function coverage(exportedUrls: Iterable<string>, manifest: SyntheticManifest): Coverage {
  const expected = identities(manifest.pages);
  const tolerated = identities([...manifest.noindex, ...manifest.files]);
  const counts = new Map<string, number>();
  for (const url of exportedUrls) {
    const identity = pageIdentity(url);
    counts.set(identity, (counts.get(identity) ?? 0) + 1);
  }
  const exported = [...counts.keys()];
  return {
    missing: [...expected].filter((identity) => !counts.has(identity)),
    extra: exported.filter((identity) => !expected.has(identity) && !tolerated.has(identity)),
    doubled: exported.filter((identity) => (counts.get(identity) ?? 0) > 1),
  };
}

/** Requests by host, each in order of arrival. */
export function byHost(log: readonly RequestRecord[]): Map<string, RequestRecord[]> {
  const hosts = new Map<string, RequestRecord[]>();
  for (const request of [...log].sort((a, b) => a.startMs - b.startMs || a.id - b.id)) {
    const requests = hosts.get(request.host);
    if (requests) requests.push(request);
    else hosts.set(request.host, [request]);
  }
  return hosts;
}

function identities(urls: readonly string[]): Set<string> {
  return new Set(urls.map(pageIdentity));
}
