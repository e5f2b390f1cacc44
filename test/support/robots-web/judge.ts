/** What the hosts saw and what the records say, held against what each case expects. */
import type { PageRecord } from '../../../src/contracts/urls.js';
import { expectationsOf, type Expected, type RobotsHttpCase } from './robots-case.js';
import type { RobotsWeb, SeenRequest } from './start.js';

/** Bytes of an endless file that may be on their way when the crawler closes the connection. */
const MAX_TAKEN_BYTES = 8 * 1024 * 1024;

/** How a crawl of all cases went. */
export interface Played {
  readonly web: RobotsWeb;
  /** By URL. */
  readonly records: ReadonlyMap<string, PageRecord>;
}

/** What went otherwise than the case expects, one line each; empty when all is well. */
export function faultsOf(each: RobotsHttpCase, { web, records }: Played): string[] {
  const seen = web.requests.filter((request) => request.case === each.name);
  const faults = expectationsOf(each).flatMap((expected) => {
    const url = web.url(each.name, expected.label, expected.path);
    const record = records.get(url);
    const isAsked = seen.some(
      ({ label, path }) => label === expected.label && path === expected.path,
    );
    const isNoindex = each.noindex?.includes(expected.path) ?? false;
    if (record !== undefined && record.noindex !== isNoindex) {
      return [`${expected.path}: noindex is ${record.noindex}`];
    }
    if (isAsWanted(each, expected, isAsked, record)) return [];
    const { outcome, reason } = record ?? { outcome: 'no record', reason: null };
    return [
      `${expected.want} ${expected.path}: ${isAsked ? '' : 'not '}asked for, ${outcome} (${reason})`,
    ];
  });
  const forbidden = seen.filter(({ path }) => each.never?.includes(path));
  return [
    ...faults,
    ...forbidden.map(({ path }) => `${path} was asked for`),
    ...earlyFaults(each, seen),
    ...countFaults(each, seen),
    ...gapFaults(each, seen),
    ...takenFaults(seen),
  ];
}

function isAsWanted(
  each: RobotsHttpCase,
  { want }: Expected,
  isAsked: boolean,
  record: PageRecord | undefined,
): boolean {
  const isFetched = isAsked && /^(fetched|redirected)$/.test(record?.outcome ?? '');
  const isSkipped = !isAsked && record?.outcome === 'skipped' && record.reason === 'robotsTxt';
  const isDeferred =
    !isAsked && record?.outcome === 'failed' && (record.reason ?? '').startsWith('robots.txt: ');
  switch (want) {
    case 'fetch':
      return isFetched;
    case 'skip':
      // A broken file may be used as far as it came, or count as out of reach.
      return isSkipped || (each.category === 'http-unreachable' && isDeferred);
    case 'defer':
      return isDeferred;
    case 'fetch-or-skip':
      return isFetched || isSkipped;
    case 'fetch-or-defer':
      return isFetched || isDeferred;
  }
}

/** A page before its host's robots.txt; robots.txt again before the time that it asked for. */
function earlyFaults(each: RobotsHttpCase, seen: readonly SeenRequest[]): string[] {
  const faults: string[] = [];
  for (const { label, path } of expectationsOf(each)) {
    const order = seen.filter((one) => one.label === label).map((one) => one.path);
    const at = order.indexOf(path);
    if (at >= 0 && !order.slice(0, at).includes('/robots.txt')) {
      faults.push(`${path} was asked for before robots.txt`);
    }
  }
  for (const label of Object.keys(each.server)) {
    const answers = each.server[label]?.['/robots.txt'] ?? [];
    const asked = seen.filter((one) => one.label === label && one.path === '/robots.txt');
    for (const [at, next] of asked.slice(1).entries()) {
      const answer = answers[Math.min(at, answers.length - 1)];
      const waitMs = Number(answer?.headers?.['Retry-After'] ?? 0) * 1000;
      const waitedMs = next.atMs - asked[at]!.atMs;
      if (waitedMs < waitMs) faults.push(`robots.txt again after ${waitedMs} ms, not ${waitMs}`);
    }
  }
  return faults;
}

function countFaults(each: RobotsHttpCase, seen: readonly SeenRequest[]): string[] {
  const pages = new Set(expectationsOf(each).map(({ label, path }) => `${label} ${path}`));
  const count = seen.filter(({ label, path }) => !pages.has(`${label} ${path}`)).length;
  const most = each.maxRobotsRequests;
  if (most === undefined || count <= most) return [];
  return [`${count} requests for robots.txt and where it led, ${most} at most`];
}

function gapFaults(
  { server, minGapMs = 0 }: RobotsHttpCase,
  seen: readonly SeenRequest[],
): string[] {
  return Object.keys(server).flatMap((label) => {
    const times = seen.filter((one) => one.label === label).map(({ atMs }) => atMs);
    const gaps = times.slice(1).map((atMs, n) => atMs - times[n]!);
    return gaps.filter((gap) => gap < minGapMs).map((gap) => `a request after ${gap} ms`);
  });
}

function takenFaults(seen: readonly SeenRequest[]): string[] {
  return seen
    .filter(({ sentBytes }) => sentBytes > MAX_TAKEN_BYTES)
    .map(({ path, sentBytes }) => `${sentBytes} bytes of ${path} were taken`);
}
