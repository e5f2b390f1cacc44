/** Reading a crawl's record: state, settings, counters, and the price of its seen filter. */
import type { CrawlState, CrawlStatus, FinishReason } from '../contracts/frontier.js';
import type { CrawlSettings } from '../contracts/settings.js';
import { FrontierError } from '../errors.js';
import { explainRedisError, type Redis } from '../redis/connection.js';
import type { ShardKeys } from './keys.js';
import { parseTotals } from './scripts.js';
import { expectedFalseSkips } from './seen-filter.js';

/** The error for a crawl id that this Redis does not know. */
export function crawlNotFound(crawlId: string): FrontierError {
  return new FrontierError(
    'FRONTIER_CRAWL_NOT_FOUND',
    `crawlId: there is no crawl "${crawlId}" in this Redis; \`orbweaver list\` shows those there are`,
  );
}

/**
 * Read everything that a crawl's record says.
 *
 * @throws FRONTIER_CRAWL_NOT_FOUND; FRONTIER_UNAVAILABLE (retryable)
 */
export async function readCrawlStatus(
  redis: Redis,
  crawlId: string,
  keys: ShardKeys,
): Promise<CrawlStatus> {
  const replies = await redis
    .multi()
    .hgetall(keys.crawl)
    .hgetall(keys.totals)
    .zcard(keys.pending)
    .zcard(keys.running)
    .scard(keys.placed)
    .llen(keys.deadLetters)
    .hlen(keys.trapped)
    .exec()
    .catch((error: unknown) => {
      throw explainRedisError(error);
    });
  const values = (replies ?? []).map(([error, value]) => {
    if (error) throw explainRedisError(error);
    return value;
  });
  const record = values[0] as Record<string, string>;
  if (!record['v']) throw crawlNotFound(crawlId);
  const totals = parseTotals(
    values[1] as Record<string, string>,
    {
      pendingHosts: Number(values[2]),
      runningHosts: Number(values[3]),
      placedHosts: Number(values[4]),
      trapped: Number(values[6]),
    },
    Number(values[5]),
  );
  const settings = parseField<CrawlSettings>(crawlId, record, 'settings');
  const time = (field: string) => (record[field] ? Number(record[field]) : null);
  return {
    crawlId,
    version: Number(record['v']),
    state: record['state'] as CrawlState,
    finishReason: (record['reason'] as FinishReason) || null,
    createdAtMs: Number(record['createdMs']),
    startedAtMs: Number(record['startedMs']),
    finishedAtMs: time('finishedMs'),
    parentSeenAtMs: time('parentSeenMs'),
    settings,
    seeds: parseField<string[]>(crawlId, record, 'seeds'),
    isMissingSeeds: record['moreSeeds'] === '1',
    totals,
    expectedFalseSkips: expectedFalseSkips(settings, totals.discovered),
  };
}

/** @throws FRONTIER_CRAWL_DAMAGED when somebody else has written there */
function parseField<T>(
  crawlId: string,
  record: Readonly<Record<string, string>>,
  field: string,
): T {
  try {
    return JSON.parse(record[field] ?? '') as T;
  } catch (cause) {
    throw new FrontierError(
      'FRONTIER_CRAWL_DAMAGED',
      `crawl "${crawlId}": its record in Redis is damaged (field ${field} is no JSON); restore it from a backup, or delete its keys`,
      { details: { field }, cause },
    );
  }
}
