/** What the seen filter costs: memory, and URLs that it skips wrongly. Pure. */
import type { CrawlSettings } from '../contracts/settings.js';
import { FrontierError } from '../errors.js';

/**
 * URLs that are expected to have been taken for seen though they were new, at most: the filter
 * keeps its error rate while it grows, and each new URL is tested once.
 *
 * @param discovered distinct URLs admitted so far
 * @returns 0 for `dedupe: exact`
 */
export function expectedFalseSkips(
  settings: Pick<CrawlSettings, 'dedupe' | 'bloomErrorRate'>,
  discovered: number,
): number {
  return settings.dedupe === 'exact' ? 0 : settings.bloomErrorRate * discovered;
}

/** The error for a crawl whose seen filter is gone or refuses: nothing was queued unseen. */
export function missingFilter(crawlId: string, why: string): FrontierError {
  return new FrontierError(
    'FRONTIER_SEEN_FILTER',
    `seen filter of crawl "${crawlId}": ${why}; restore Redis from its backup, or delete the crawl and start it anew (\`orbweaver doctor\` checks what evicts keys or lacks BF.*)`,
  );
}

const LACKS_BLOOM = /unknown (redis )?command|no permissions to run the 'bf\./i;

/** Say what it means when a crawl's filter can't be made: mostly a Redis without BF.*. */
export function explainCreateError(error: unknown): unknown {
  if (!(error instanceof Error) || !LACKS_BLOOM.test(error.message)) return error;
  return new FrontierError(
    'FRONTIER_SEEN_FILTER',
    'dedupe: "bloom" needs BF.*, which this Redis lacks or does not permit; use Redis 8 or later or Redis Stack, or `dedupe: exact`',
    { cause: error },
  );
}
