/** Seeds: checked one by one, so that one bad line of a million is said and the rest crawled. */
import type { RefusedSeed } from '../contracts/crawl.js';
import { withoutCredentials } from '../config/seed-text.js';
import type { CrawlStatus } from '../contracts/frontier.js';
import { fingerprintOf } from '../url/canonical-url.js';
import { hostKey, registeredDomain } from '../url/host-key.js';
import { parseUrl } from '../url/parse-url.js';
import { fittingRefusals } from './bounded-replies.js';
import { CrawlContexts } from './crawl-context.js';
import type { CrawlStore } from './deps.js';
import { queueable } from './discover.js';

/** What a seed lends the scope: its host or its registered domain, as a URL. */
export function scopeRoot(seed: string, scope: CrawlStatus['settings']['scope']): string {
  return scope === 'domain' ? `http://${registeredDomain(seed)}/` : `http://${hostKey(seed)}/`;
}

/** What became of seeds. */
export interface PlantedSeeds {
  /** New to the crawl. */
  readonly added: number;
  /** Nothing forbids them, be they new or not. */
  readonly admitted: number;
  readonly refused: number;
  /** As many of the refused ones as fit one message. */
  readonly refusedSeeds: readonly RefusedSeed[];
}

/** Characters of a seed that are shown where it is no URL: a line of a file may be megabytes. */
const SHOWN_CHARS = 1000;

/** Put seeds into the frontier; their hosts or domains belong to the scope from now on. */
export async function plantSeeds(
  store: CrawlStore,
  seeds: readonly string[],
): Promise<PlantedSeeds> {
  const { settings } = await store.frontier.status();
  const refusedSeeds: RefusedSeed[] = [];
  const urls = new Map<string, string>();
  for (const seed of seeds) {
    const url = parseUrl(seed);
    if (url === null) {
      refusedSeeds.push({
        seed: shown(withoutCredentials(seed)),
        reason: 'not an http or https URL; write it with https://',
      });
    } else {
      const print = fingerprintOf(url, settings.canonical);
      // Of several spellings the first is fetched, as of links.
      if (!urls.has(print)) urls.set(print, url);
    }
  }
  await store.addScopeRoots([...urls.values()].map((url) => scopeRoot(url, settings.scope)));
  const { version } = await store.frontier.status();
  const context = await new CrawlContexts().of(store, version);
  const admitted = [];
  for (const url of urls.values()) {
    const decision = context.scope.checkSeed(url);
    if (decision.inScope) {
      admitted.push(
        queueable(context, { url, kind: 'page', depth: 0, hops: '', via: '', attempts: 0 }),
      );
    } else {
      refusedSeeds.push({ seed: url, reason: `out of scope: ${decision.rule}` });
    }
  }
  const { added } = await store.frontier.addUrls(admitted);
  return {
    added,
    admitted: admitted.length,
    refused: refusedSeeds.length,
    refusedSeeds: fittingRefusals(refusedSeeds),
  };
}

function shown(seed: string): string {
  return seed.length <= SHOWN_CHARS ? seed : `${seed.slice(0, SHOWN_CHARS)}…`;
}
