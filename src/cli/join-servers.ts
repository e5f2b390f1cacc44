/** Joining the embedded servers of a data directory, where any are needed. */
import { existsSync } from 'node:fs';
import { ConfigError } from '../errors.js';
import { joinEmbeddedServers, type EmbeddedServers } from '../servers/embedded.js';
import type { ServerChoice } from './server-choice.js';

/** Options of {@link joinServers}. */
export interface JoinOptions {
  readonly dataDir: string;
  /** May make the data directory; false for commands that look at crawls there should be. */
  readonly mayCreate: boolean;
  readonly report: (line: string) => void;
  readonly onLost?: () => void;
}

/**
 * @returns undefined where Temporal and Redis are both one's own
 * @throws CONFIG_SERVER_UNAVAILABLE
 */
export async function joinServers(
  choice: ServerChoice,
  { dataDir, mayCreate, report, onLost }: JoinOptions,
): Promise<EmbeddedServers | undefined> {
  if (choice.temporal && choice.redis) return undefined;
  if (!mayCreate && !existsSync(dataDir)) {
    throw new ConfigError(
      'CONFIG_SERVER_UNAVAILABLE',
      `dataDir: there is no ${dataDir}, so no crawl was started from here; go to the folder where ` +
        'it was, name its --data-dir, or set TEMPORAL_ADDRESS and REDIS_URL',
    );
  }
  return joinEmbeddedServers({ dataDir, report, ...(onLost && { onLost }) });
}
