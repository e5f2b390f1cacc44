/** Is a Redis fit to hold a crawl that can't be lost (Q4, F9)? Asked by doctor and worker starts. */
import type { Redis } from './connection.js';
import { readServerFacts, type ServerFacts } from './server-facts.js';

/** Something about a server that should be otherwise. */
export interface ServerFinding {
  /** error: a crawl may be lost or can't run. warning: it costs more or lasts less than it could. */
  readonly level: 'error' | 'warning';
  readonly check:
    | 'version'
    | 'role'
    | 'eviction'
    | 'aof'
    | 'appendfsync'
    | 'save'
    | 'bloom'
    | 'memory'
    | 'list-compress-depth';
  /** What is the matter, and what to do about it. */
  readonly message: string;
}

/** What the crawls on the server need. */
export interface ServerNeeds {
  /** Default bloom: then a server without BF.* is an error. */
  readonly dedupe?: 'bloom' | 'exact';
}

/** Scripts with `#!lua`, which a foreign slot refuses, are of this version. */
const LEAST_VERSION = 7;
const MEMORY_WARNING = 0.75;
const MEMORY_ERROR = 0.9;

/**
 * Check a server. Nothing is changed.
 *
 * @returns what is wrong, errors first; empty for a fit server
 * @throws FRONTIER_UNAVAILABLE (retryable) where it can't be asked
 */
export async function checkRedisServer(
  redis: Redis,
  needs: ServerNeeds = {},
): Promise<readonly ServerFinding[]> {
  return judgeServer(await readServerFacts(redis), needs);
}

/** The findings for a server of which these things are known. */
export function judgeServer(facts: ServerFacts, needs: ServerNeeds = {}): ServerFinding[] {
  const errors: ServerFinding[] = [];
  const warnings: ServerFinding[] = [];
  const error = (check: ServerFinding['check'], message: string) =>
    errors.push({ level: 'error', check, message });
  const warning = (check: ServerFinding['check'], message: string) =>
    warnings.push({ level: 'warning', check, message });

  if (Number(facts.version.split('.')[0]) < LEAST_VERSION) {
    error('version', `Redis is ${facts.version}; use ${LEAST_VERSION} or later`);
  }
  if (facts.role !== 'master') {
    error('role', `Redis is a ${facts.role}, which can't be written; connect to its master`);
  }
  if (facts.evictionPolicy !== 'noeviction') {
    error(
      'eviction',
      `maxmemory-policy is ${facts.evictionPolicy}: a full Redis would throw queues away; set maxmemory-policy noeviction`,
    );
  }
  if (!facts.isAofOn) {
    error('aof', 'appendonly is off: a restart loses whole minutes of a crawl; set appendonly yes');
  } else if (facts.aofWriteStatus !== 'ok') {
    error(
      'aof',
      `the last write of the append-only file is "${facts.aofWriteStatus}"; see the disk of Redis: full, read-only or failing`,
    );
  }
  if (facts.appendfsync === 'no') {
    warning(
      'appendfsync',
      'appendfsync is no: a power cut may lose half a minute; set appendfsync everysec',
    );
  }
  if (facts.lastSaveStatus !== 'ok') {
    error(
      'save',
      `the last snapshot is "${facts.lastSaveStatus}", after which Redis refuses writes; see its log and its disk`,
    );
  } else if (facts.savePoints === '') {
    warning(
      'save',
      'no save points: without snapshots there is no second copy of the data; set save "3600 1 300 100 60 10000"',
    );
  }
  if (!facts.hasBloom) {
    const message =
      'BF.* is missing; use Redis 8 or later or Redis Stack, or start crawls with `dedupe: exact`';
    if (needs.dedupe === 'exact') warning('bloom', message);
    else error('bloom', message);
  }
  judgeMemory(facts, error, warning);
  if (facts.listCompressDepth === 0) {
    warning(
      'list-compress-depth',
      'list-compress-depth is 0: queued URLs take 2.6 times the memory; set list-compress-depth 1',
    );
  }
  return [...errors, ...warnings];
}

type Report = (check: ServerFinding['check'], message: string) => void;

function judgeMemory(facts: ServerFacts, error: Report, warning: Report): void {
  const limit = facts.maxBytes || facts.machineBytes;
  if (limit === 0) return;
  const share = facts.usedBytes / limit;
  if (share < MEMORY_WARNING) return;
  const whose = facts.maxBytes ? 'maxmemory' : "the machine's memory";
  const text = `${Math.round(share * 100)} % of ${whose} is used; give Redis more, or delete crawls that are done (\`orbweaver delete\`)`;
  if (share >= MEMORY_ERROR) error('memory', text);
  else warning('memory', text);
}
