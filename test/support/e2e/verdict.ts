/**
 * The verdict on a whole crawl, from three sides that can't have agreed beforehand: what the web saw,
 * what `export` prints, what the crawl says of itself. Every function throws with the offending
 * records.
 */
import type { CrawlTotals } from '../../../src/contracts/frontier.js';
import type { PageRecord } from '../../../src/contracts/urls.js';
import { exportRecords } from '../../../src/output/export.js';
import { assertPolite, coverage, repeats, robotsBreaches, strays } from '../synthetic-web/judge.js';
import type { SyntheticManifest } from '../synthetic-web/manifest.js';
import { requestIdentity } from '../synthetic-web/page-identity.js';
import type { RequestRecord } from '../synthetic-web/request-log.js';

const SHOWN = 5;

/** Fail with the first offenders of a list that ought to be empty. */
export function expectNone(offenders: Iterable<unknown>, what: string): void {
  const all = [...offenders];
  if (all.length === 0) return;
  const shown = all.slice(0, SHOWN).map((one) => JSON.stringify(one));
  throw new Error(`${all.length} ${what}:\n${shown.join('\n')}`);
}

/** Exported pages of a crawl's folder. */
export async function exportedPages(dir: string): Promise<PageRecord[]> {
  const pages: PageRecord[] = [];
  for await (const page of exportRecords({ dir, select: 'pages' })) pages.push(page);
  return pages;
}

/** Every reachable allowed page is exported, each once, and nothing else. */
export function expectWhole(pages: readonly PageRecord[], manifest: SyntheticManifest): void {
  const { missing, extra, doubled } = coverage(
    pages.map((page) => page.url),
    manifest,
  );
  expectNone(missing, 'pages are missing from the export');
  expectNone(extra, 'exported pages are none of the web');
  expectNone(doubled, 'pages are exported twice');
}

/** The crawl kept the web's rules: robots.txt, nofollow, real links only. */
export function expectObedient(log: readonly RequestRecord[], manifest: SyntheticManifest): void {
  expectNone(robotsBreaches(log, manifest), 'requests that robots rules or nofollow forbid');
  expectNone(strays(log, manifest), 'requests for what nothing links to');
}

/** One request at a time and the gap after each, over all requests of every kind. */
export function expectPolite(log: readonly RequestRecord[], delayMs: number): void {
  assertPolite(log, { minGapMs: delayMs });
}

/** No page was asked for again after it had been given. */
export function expectNoRepeat(log: readonly RequestRecord[]): void {
  const twice = repeats(log);
  expectNone(
    log.filter((request) => request.status === 200 && twice.has(requestIdentity(request))),
    'answers given more than once',
  );
}

/** discovered = fetched + redirected + failed + skipped + queued, and the export agrees. */
export function expectBalanced(totals: CrawlTotals, pages: readonly PageRecord[]): void {
  const { discovered, fetched, notModified, duplicate, redirected, failed, skipped } = totals;
  const queued = totals.outstanding + totals.held;
  const stored = fetched + notModified + duplicate;
  const accounted = stored + redirected + failed + skipped + queued;
  if (discovered !== accounted || pages.length !== stored || totals.leased !== 0) {
    throw new Error(
      `unbalanced: discovered ${discovered}, accounted for ${accounted}, ` +
        `exported ${pages.length} of ${stored}: ${JSON.stringify(totals)}`,
    );
  }
}
