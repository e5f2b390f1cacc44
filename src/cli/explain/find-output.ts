/** Where a crawl's output is, as far as this machine can tell. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { CrawlStatus } from '../../contracts/frontier.js';
import type { OutputPlace } from './gather-facts.js';

/**
 * The crawl's folder: below `--out`, else below `./out`, else where the crawl says.
 *
 * @param out `--out`, the folder that the crawl's folder is in
 */
export function findOutput(
  cwd: string,
  { crawlId, settings, totals }: CrawlStatus,
  out: string | undefined,
): OutputPlace {
  if (out !== undefined) return placeOf(resolve(cwd, out, crawlId));
  const here = join(cwd, 'out', crawlId);
  if (existsSync(here)) return { dir: here, why: null };
  const said = join(settings.out, crawlId);
  if (isAbsolute(said) && existsSync(said)) return { dir: said, why: null };
  if (totals.fetched + totals.failed + totals.redirected + totals.skipped === 0) {
    return { dir: null, why: 'the crawl has stored nothing yet' };
  }
  if (isAbsolute(said)) return placeOf(said);
  return { dir: null, why: `${said} is relative to the folder of the worker that fetched` };
}

function placeOf(dir: string): OutputPlace {
  return existsSync(dir) ? { dir, why: null } : { dir: null, why: `${dir} is not on this machine` };
}
