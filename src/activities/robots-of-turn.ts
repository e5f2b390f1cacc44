/** Robots rules as one turn sees them: read from the store once, not once a page. */
import type { StoredRobots } from '../frontier/robots-store.js';
import type { CrawlStore } from './deps.js';

/**
 * Rules hold for a day and a turn for seconds, while a large file's text is hundreds of kilobytes.
 * What is not known yet is looked up again: another worker may have asked meanwhile.
 */
export class RobotsOfTurn implements Pick<CrawlStore['robots'], 'read' | 'write'> {
  private readonly store: CrawlStore['robots'];
  private readonly known = new Map<string, StoredRobots>();

  constructor(store: CrawlStore['robots']) {
    this.store = store;
  }

  async read(origin: string): Promise<StoredRobots | null> {
    const robots = this.known.get(origin) ?? (await this.store.read(origin));
    if (robots !== null) this.known.set(origin, robots);
    return robots;
  }

  async write(origin: string, robots: StoredRobots): Promise<void> {
    await this.store.write(origin, robots);
    this.known.set(origin, robots);
  }
}
