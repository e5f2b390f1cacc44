/** A crawl's settings and compiled scope, by version: compiled once a worker, not once a page. */
import type { CrawlSettings } from '../contracts/settings.js';
import { compileScope, type Scope } from '../url/scope.js';
import type { CrawlStore } from './deps.js';

export interface CrawlContext {
  readonly crawlId: string;
  readonly version: number;
  readonly settings: CrawlSettings;
  readonly scope: Scope;
}

/** Crawls whose context is kept; the least recently used goes. */
const MAX_KEPT = 100;

export class CrawlContexts {
  private readonly kept = new Map<string, CrawlContext>();

  /** The context of that version, or a newer one. */
  async of(store: CrawlStore, version: number): Promise<CrawlContext> {
    const { crawlId } = store.frontier;
    const known = this.kept.get(crawlId);
    if (known?.version === version) return known;
    const settings = await store.frontier.settings(version);
    const context = {
      crawlId,
      version,
      settings,
      scope: compileScope(await store.readScopeRoots(), settings),
    };
    this.kept.delete(crawlId);
    this.kept.set(crawlId, context);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return context;
  }
}
