/** Connections to servers that should be there: refused soon, and in words, when they are not. */
import { Client, Connection } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { ConfigError } from '../errors.js';
import { connectRedis, type Redis } from '../redis/connection.js';
import type { ServerAddresses } from '../servers/keeper-protocol.js';
import type { CliStream } from './context.js';
import type { ServerChoice } from './server-choice.js';

/** A server that does not answer within this is told as out of reach. */
const CONNECT_WITHIN_MS = 10_000;

/**
 * A connection that has answered once.
 *
 * @param display the address without its password
 * @throws CONFIG_SERVER_UNAVAILABLE
 */
export async function connectRedisServer(url: string, display: string): Promise<Redis> {
  let lastError: Error | undefined;
  const redis = connectRedis(url, (error) => {
    lastError = error;
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(lastError ?? new Error('no answer'));
    }, CONNECT_WITHIN_MS);
  });
  try {
    await Promise.race([redis.ping(), late]);
    return redis;
  } catch (error) {
    redis.disconnect();
    const { message } = error as Error;
    const remedy = /^(MISCONF|OOM|READONLY|LOADING)\b/.test(message)
      ? 'the server is there: mend what it says, `orbweaver doctor` looks closer'
      : 'check address, user and password, or unset REDIS_URL to let orbweaver start a Redis of its own';
    throw new ConfigError(
      'CONFIG_SERVER_UNAVAILABLE',
      `REDIS_URL: ${display} can't be used: ${message}; ${remedy}`,
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Connections to one Temporal. */
export interface TemporalConnections {
  readonly client: Client;
  readonly connection: Connection;
  readonly namespace: string;
  readonly temporalAddress: string;
  nativeConnection(): Promise<NativeConnection>;
  close(): Promise<void>;
}

/**
 * Connect to one's own Temporal or to an embedded one.
 *
 * @throws CONFIG_SERVER_UNAVAILABLE
 */
export async function connectTemporal(
  { temporal }: ServerChoice,
  embedded: ServerAddresses | undefined,
  log: { readonly logFile: string; readonly stderr: CliStream | null },
): Promise<TemporalConnections> {
  const address = temporal?.address ?? embedded?.temporalAddress ?? '';
  const namespace = temporal?.namespace ?? embedded?.namespace ?? 'default';
  const options = { ...temporal?.connectionOptions, address };
  const connection = await Connection.connect({
    ...options,
    connectTimeout: CONNECT_WITHIN_MS,
  }).catch((error: unknown) => {
    throw new ConfigError(
      'CONFIG_SERVER_UNAVAILABLE',
      `TEMPORAL_ADDRESS: ${address} can't be used: ${(error as Error).message}; check address, TLS ` +
        'and API key, or unset it to let orbweaver start a Temporal of its own',
      { cause: error },
    );
  });
  let native: Promise<NativeConnection> | undefined;
  return {
    client: new Client({ connection, namespace }),
    connection,
    namespace,
    temporalAddress: address,
    nativeConnection() {
      native ??= import('./worker-runtime.js').then(({ connectWorkers }) =>
        connectWorkers(options, log),
      );
      return native;
    },
    async close() {
      await (await native?.catch(() => undefined))?.close();
      await connection.close();
    },
  };
}
