/** The frontier's scripts and the parsers of their replies. */
import { fileURLToPath } from 'node:url';
import type {
  CrawlState,
  CrawlTotals,
  FinishReason,
  NextHosts,
  TurnReply,
} from '../contracts/frontier.js';
import { loadScript, type ScriptReply } from '../redis/script.js';
import { unpackItem } from './packed-item.js';

const load = (name: string) =>
  loadScript(fileURLToPath(new URL(`./lua/${name}.lua`, import.meta.url)));

export const SCRIPTS = {
  createCrawl: load('create-crawl'),
  addRoots: load('add-roots'),
  addUrls: load('add-urls'),
  completeAndLease: load('complete-and-lease'),
  nextHosts: load('next-hosts'),
  setState: load('set-state'),
  reopenHosts: load('reopen-hosts'),
  drainHost: load('drain-host'),
  requeueDeadLetters: load('requeue-dead-letters'),
  requeueHeld: load('requeue-held'),
  gateAsk: load('gate-ask'),
  gateRenew: load('gate-renew'),
  gateRelease: load('gate-release'),
} as const;

/** Parse the reply of complete-and-lease. */
export function parseTurnReply(reply: ScriptReply): TurnReply {
  const [status, version, ...rest] = reply as [TurnReply['status'], number, ...ScriptReply[]];
  switch (status) {
    case 'lease':
      return {
        status,
        version,
        item: unpackItem(String(rest[0])),
        queued: Number(rest[1]),
        hostFailures: Number(rest[2]),
        failingForMs: Number(rest[3]),
        activeHosts: Number(rest[4]),
      };
    case 'wait':
      return { status, version, waitMs: Number(rest[0]), reason: String(rest[1]) };
    case 'paused':
    case 'blocked':
      return { status, version, reason: String(rest[0]) };
    case 'stopped':
      return { status, version, state: rest[0] as CrawlState };
    case 'fenced':
      return { status, version, owner: String(rest[0]), turn: Number(rest[1]) };
    case 'idle':
    case 'noPlace':
    case 'exhausted':
    case 'done':
      return { status, version };
  }
}

/** Parse the reply of next-hosts, but for its refusals. */
export function parseNextHosts(reply: readonly ScriptReply[]): NextHosts {
  const [
    ,
    version,
    state,
    reason,
    done,
    recount,
    pending,
    running,
    placed,
    named,
    totals,
    trapped,
  ] = reply;
  const names = named as string[];
  const hosts: NextHosts['hosts'][number][] = [];
  for (let n = 0; n < names.length; n += 2) {
    hosts.push({ hostKey: names[n]!, why: names[n + 1] as 'pending' | 'overdue' });
  }
  return {
    version: Number(version),
    state: state as CrawlState,
    finishReason: (reason as FinishReason) || null,
    hosts,
    totals: parseTotals(pairsToRecord(totals as string[]), {
      pendingHosts: Number(pending),
      runningHosts: Number(running),
      placedHosts: Number(placed),
      trapped: Number(trapped),
    }),
    isDone: done === 1,
    needsRecount: recount === 1,
    isFenced: false,
  };
}

/** Field, value, … as a record. */
export function pairsToRecord(pairs: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let n = 0; n < pairs.length; n += 2) record[pairs[n]!] = pairs[n + 1]!;
  return record;
}

/** Totals from the counters' hash and the sizes of other keys. */
export function parseTotals(
  counters: Readonly<Record<string, string>>,
  sizes: Pick<CrawlTotals, 'pendingHosts' | 'runningHosts' | 'placedHosts' | 'trapped'>,
  deadLetters = 0,
): CrawlTotals {
  const count = (field: string) => Number(counters[field] ?? 0);
  const byPrefix = (prefix: string) =>
    Object.fromEntries(
      Object.keys(counters)
        .filter((field) => field.startsWith(prefix))
        .map((field) => [field.slice(prefix.length), count(field)]),
    );
  return {
    discovered: count('discovered'),
    outstanding: count('outstanding'),
    held: count('held'),
    leased: count('leased'),
    fetched: count('fetched'),
    redirected: count('redirected'),
    notModified: count('notModified'),
    duplicate: count('duplicate'),
    skipped: count('skipped'),
    failed: count('failed'),
    retries: count('retries'),
    sitemaps: count('sitemaps'),
    bytes: count('bytes'),
    hosts: count('hosts'),
    deadLetters,
    skips: byPrefix('skip:'),
    rejected: byPrefix('rejected:'),
    ...sizes,
  };
}
