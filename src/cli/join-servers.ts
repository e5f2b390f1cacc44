/** Joining the embedded servers of a data directory, and staying joined while they are needed. */
import { existsSync } from 'node:fs';
import { ConfigError } from '../errors.js';
import { joinEmbeddedServers, type EmbeddedServers } from '../servers/embedded.js';
import type { ServerAddresses } from '../servers/keeper-protocol.js';
import type { ServerChoice } from './server-choice.js';

/** Options of {@link joinServers}. */
export interface JoinOptions {
  readonly dataDir: string;
  /** May make the data directory; false for commands that look at crawls there should be. */
  readonly mayCreate: boolean;
  readonly report: (line: string) => void;
  /** The servers went away and could not be had back at the same addresses. */
  readonly onLost?: (error: Error) => void;
  /** From `dev`; else those of last time, or free ones. */
  readonly uiPort?: number;
  readonly temporalPort?: number;
  readonly redisPort?: number;
}

/** Servers that are started again when their keeper ends under us. */
export type JoinedServers = Pick<EmbeddedServers, 'joined' | 'close'> & ServerAddresses;

/**
 * @returns undefined where Temporal and Redis are both one's own
 * @throws CONFIG_SERVER_UNAVAILABLE
 */
export async function joinServers(
  choice: ServerChoice,
  options: JoinOptions,
): Promise<JoinedServers | undefined> {
  if (choice.temporal && choice.redis) return undefined;
  const { dataDir, mayCreate } = options;
  if (!mayCreate && !existsSync(dataDir)) {
    throw new ConfigError(
      'CONFIG_SERVER_UNAVAILABLE',
      `dataDir: there is no ${dataDir}, so no crawl was started from here; go to the folder where ` +
        'it was, name its --data-dir, or set TEMPORAL_ADDRESS and REDIS_URL',
    );
  }
  return stayJoined(options);
}

async function stayJoined(options: JoinOptions): Promise<JoinedServers> {
  const { onLost = () => undefined } = options;
  let isClosing = false;
  let current: EmbeddedServers;
  const joinAgain = async (): Promise<void> => {
    const { temporalAddress, redisUrl } = current;
    options.report('the servers went away; starting them again');
    current = await joinEmbeddedServers({ ...options, onLost: lost });
    if (isClosing) await current.close();
    if (current.temporalAddress === temporalAddress && current.redisUrl === redisUrl) return;
    throw new ConfigError(
      'CONFIG_SERVER_UNAVAILABLE',
      'The servers were started again, but their ports were taken meanwhile; resume the crawl.',
    );
  };
  const lost = (): void => {
    if (!isClosing) void joinAgain().catch((error: unknown) => onLost(error as Error));
  };
  current = await joinEmbeddedServers({ ...options, onLost: lost });
  const { temporalAddress, redisUrl, namespace, uiUrl, joined } = current;
  return {
    temporalAddress,
    redisUrl,
    namespace,
    uiUrl,
    joined,
    close() {
      isClosing = true;
      return current.close();
    },
  };
}
