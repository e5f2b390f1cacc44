/** What activities need of the world; built in src/workers/compose.ts, real parts in tests too. */
import type { Frontier } from '../contracts/frontier.js';
import type { Gate } from '../contracts/gate.js';
import type { CrawlSettings } from '../contracts/settings.js';
import type { CrawlError } from '../errors.js';
import type { CookieJars } from '../fetch/cookies.js';
import type { Fetcher } from '../fetch/fetch-types.js';
import type { RobotsStore } from '../frontier/robots-store.js';
import type { PageSink } from '../output/sink.js';

/** Everything of one crawl that lives in the store. */
export interface CrawlStore {
  readonly frontier: Frontier;
  readonly robots: Pick<RobotsStore, 'read' | 'write'>;
  addScopeRoots(roots: readonly string[]): Promise<void>;
  readScopeRoots(): Promise<string[]>;
}

export interface ActivityDeps {
  crawl(crawlId: string): CrawlStore;
  readonly gate: Gate;
  readonly fetcher: Fetcher;
  readonly jars: CookieJars;
  /** Sink of a crawl's output; the same one for the same folder. */
  sink(crawlId: string, settings: Pick<CrawlSettings, 'out'>): PageSink;
  /** The worker is shutting down: end turns after the running page. */
  isDraining(): boolean;
  /** Hears of trouble that is ours (Redis, disk), each time that it fails an attempt. */
  readonly onTrouble?: (error: CrawlError) => void;
  /** Uniform in [0, 1): jitter. */
  random(): number;
}
