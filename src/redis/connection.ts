/**
 * Connections to Redis. This folder alone knows ioredis; everybody else runs scripts and commands
 * through what it exports.
 */
import { Redis } from 'ioredis';
import { FrontierError } from '../errors.js';

export type { Redis } from 'ioredis';

/** Longest pause between two attempts to reconnect. */
const RECONNECT_MAX_MS = 1000;
/** Reconnects after which a waiting command fails, so that its caller's retry policy shows it. */
const RETRIES_PER_COMMAND = 60;

/**
 * Open a connection that survives restarts of the server: it reconnects for ever, and commands
 * whose reply was lost are sent again (every script is idempotent for this reason).
 *
 * @param url redis: or rediss: address, with user, password and database where needed
 * @param onError told of connection trouble; default: silent, the commands tell
 */
export function connectRedis(url: string, onError: (error: Error) => void = () => {}): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: RETRIES_PER_COMMAND,
    connectTimeout: 5000,
    enableAutoPipelining: false,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 6), RECONNECT_MAX_MS),
    // A replica that was a master a moment ago: find the new one.
    reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 2 : false),
  });
  redis.on('error', onError);
  return redis;
}

/** Replies that say "not now", not "never". */
const PASSING_REPLIES =
  /^(LOADING|BUSY|READONLY|OOM|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS)\b/;

/**
 * Say what an error of a Redis command means to its caller.
 *
 * @returns FRONTIER_UNAVAILABLE, retryable, where the server is away, full or busy; else the error
 */
export function explainRedisError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isPassing =
    PASSING_REPLIES.test(error.message) ||
    error.name === 'MaxRetriesPerRequestError' ||
    /Connection is closed|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND/.test(error.message);
  if (!isPassing) return error;
  return new FrontierError('FRONTIER_UNAVAILABLE', `Redis can't do this now: ${error.message}`, {
    retryable: true,
    cause: error,
  });
}
