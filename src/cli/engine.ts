/**
 * The servers behind a command: one's own (TEMPORAL_*, REDIS_URL) or embedded ones in a data
 * directory. Heavy: import it inside a command's action, so that --help stays instant.
 */
import type { Client, Connection } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Redis } from '../redis/connection.js';
import { dataDirOf, type CliContext } from './context.js';
import { connectRedisServer, connectTemporal } from './connect.js';
import { decideServers } from './server-choice.js';
import { joinServers } from './join-servers.js';
import { ensureSearchAttribute } from './search-attribute.js';

/** Options of {@link connectEngine}. */
export interface ConnectOptions {
  /** From `--data-dir`. Default: ORBWEAVER_DATA_DIR, else `.orbweaver`. */
  readonly dataDir?: string | undefined;
  /**
   * Start embedded servers wherever asked. False: only where the data directory exists, for
   * commands that look at crawls there should be.
   */
  readonly needsServers: boolean;
  /** Register the search attribute on one's own Temporal. Default: as `needsServers`. */
  readonly register?: boolean;
  /** Show the SDK's warnings on stderr rather than in `<data-dir>/logs/sdk.log`. */
  readonly verbose?: boolean | undefined;
  /** Lines about servers being found or started; default: ctx.say. */
  readonly report?: (line: string) => void;
  /** The embedded servers went away and could not be had back. Default: said. */
  readonly onLost?: (error: Error) => void;
}

/** Connected servers. */
export interface Engine {
  readonly client: Client;
  readonly connection: Connection;
  /** For workers; connected at the first call. */
  nativeConnection(): Promise<NativeConnection>;
  readonly namespace: string;
  readonly temporalAddress: string;
  /** With credentials: for connections only. */
  readonly redisUrl: string;
  /** For messages. */
  readonly redisDisplay: string;
  readonly redis: Redis;
  /** Address of Temporal's web UI without a final slash; null where it is not known. */
  readonly uiUrl: string | null;
  /** Temporal and Redis are embedded ones. */
  readonly isEmbedded: boolean;
  readonly dataDir: string;
  close(): Promise<void>;
}

/**
 * Find or start the servers and connect to both.
 *
 * @throws CONFIG_SERVER_UNAVAILABLE, CONFIG_INVALID_OPTION
 */
export async function connectEngine(ctx: CliContext, options: ConnectOptions): Promise<Engine> {
  const dataDir = dataDirOf(ctx, options.dataDir);
  const choice = decideServers(ctx.env);
  const embedded = await joinServers(choice, {
    dataDir,
    mayCreate: options.needsServers,
    report: options.report ?? ((line) => ctx.say(line)),
    onLost: options.onLost ?? ((error) => ctx.say(error.message)),
  });
  // In the order of opening: a call that is still retried must not find its channel closed.
  const opened: (() => Promise<void> | void)[] = [() => embedded?.close()];
  const close = async (): Promise<void> => {
    for (const end of opened.splice(0)) await end();
  };
  try {
    const redisUrl = choice.redis?.url ?? embedded!.redisUrl;
    const redis = await connectRedisServer(redisUrl, choice.redis?.display ?? redisUrl);
    opened.push(() => redis.disconnect());
    const temporal = await connectTemporal(choice, embedded, {
      logFile: `${dataDir}/logs/sdk.log`,
      stderr: options.verbose === true ? ctx.stderr : null,
    });
    opened.push(() => temporal.close());
    // The embedded one is started with it.
    if (choice.temporal && (options.register ?? options.needsServers))
      await ensureSearchAttribute(temporal);
    return {
      ...temporal,
      redis,
      redisUrl,
      redisDisplay: choice.redis?.display ?? redisUrl,
      uiUrl: embedded && !choice.temporal ? embedded.uiUrl : (choice.temporal?.uiUrl ?? null),
      isEmbedded: !choice.temporal && !choice.redis,
      dataDir,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A workflow's page in the web UI; null where its address is not known. */
export function workflowUrl(engine: Pick<Engine, 'uiUrl' | 'namespace'>, workflowId: string) {
  if (engine.uiUrl === null) return null;
  const id = encodeURIComponent(workflowId);
  return `${engine.uiUrl}/namespaces/${encodeURIComponent(engine.namespace)}/workflows/${id}`;
}
