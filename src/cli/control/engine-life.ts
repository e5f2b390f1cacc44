/** Is anybody working on a crawl? Told by when its parent workflow last asked for hosts. Pure. */
import type { CrawlStatus } from '../../contracts/frontier.js';
import { commandLine } from '../context.js';
import { formatElapsed } from '../display/format.js';

/** A living parent asks several times a second; a worker that restarts needs a while. */
const SILENT_MS = 30_000;

/** States in which somebody should be working on the crawl. */
const AT_WORK: readonly CrawlStatus['state'][] = ['preparing', 'running', 'paused', 'stopping'];

type Seen = Pick<CrawlStatus, 'crawlId' | 'state' | 'parentSeenAtMs'>;

/** Nobody works on a crawl that is not over. */
export function isAbandoned({ state, parentSeenAtMs }: Seen, nowMs: number): boolean {
  if (!AT_WORK.includes(state)) return false;
  return parentSeenAtMs === null || nowMs - parentSeenAtMs > SILENT_MS;
}

/** Seeds that were announced and are not there; undefined where there are none. */
export function missingSeedsLine(
  { crawlId, isMissingSeeds }: Pick<CrawlStatus, 'crawlId' | 'isMissingSeeds'>,
  dataDir?: string,
): string | undefined {
  if (!isMissingSeeds) return undefined;
  const resume = commandLine(['resume', crawlId, '--seeds-file', '<file>'], dataDir);
  return (
    'not all of its seeds have been added: they are on their way, or their process was ended; ' +
    `give them again: ${resume}`
  );
}

/** Who is missing and what to do; undefined where somebody works or nobody need. */
export function abandonedLine(status: Seen, nowMs: number, dataDir?: string): string | undefined {
  if (!isAbandoned(status, nowMs)) return undefined;
  const since =
    status.parentSeenAtMs === null
      ? 'no worker has been seen yet'
      : `no worker has been seen for ${formatElapsed(nowMs - status.parentSeenAtMs)}`;
  const resume = commandLine(['resume', status.crawlId], dataDir);
  return `${since}: nothing is fetched now; go on with: ${resume} (or start a worker)`;
}
