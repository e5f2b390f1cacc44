/** What the seen filter costs: memory, and URLs that it skips wrongly. Pure. */
import type { CrawlSettings } from '../contracts/settings.js';

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
