/** Whose servers: one's own where the environment names them, else embedded ones. */
import { loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig';
import type { ClientConnectConfig } from '@temporalio/envconfig';
import { parseRedisUrl, type RedisAddress } from '../config/redis-url.js';
import { ConfigError } from '../errors.js';

/** A Temporal of one's own. */
export interface OwnTemporal extends ClientConnectConfig {
  readonly address: string;
  /** Null where nobody said and it can't be told from the address. */
  readonly uiUrl: string | null;
}

/** What the environment names; undefined is an embedded one. */
export interface ServerChoice {
  readonly temporal: OwnTemporal | undefined;
  readonly redis: RedisAddress | undefined;
}

/**
 * Read `TEMPORAL_*`, Temporal's config file and `REDIS_URL`.
 *
 * An embedded Redis next to a Temporal of one's own is refused: workers elsewhere would get turns
 * whose URLs they can't reach. The reverse is allowed: with an embedded Temporal all workers are
 * here anyway, and Redis may be a better kept one.
 *
 * @throws CONFIG_INVALID_OPTION, CONFIG_SERVER_UNAVAILABLE
 */
export function decideServers(env: Readonly<Record<string, string | undefined>>): ServerChoice {
  const redisUrl = env['REDIS_URL']?.trim();
  const redis = redisUrl ? parseRedisUrl(redisUrl) : undefined;
  const temporal = ownTemporal(env);
  if (temporal && !redis) {
    throw new ConfigError(
      'CONFIG_SERVER_UNAVAILABLE',
      `REDIS_URL: not set, while Temporal is one of your own (${temporal.address}). A Redis that ` +
        'orbweaver starts here could not be reached by other workers of that Temporal; set ' +
        'REDIS_URL too, or unset TEMPORAL_ADDRESS (and TEMPORAL_PROFILE) to use neither.',
    );
  }
  return { temporal, redis };
}

function ownTemporal(env: Readonly<Record<string, string | undefined>>): OwnTemporal | undefined {
  let profile;
  try {
    profile = loadClientConfigProfile({ overrideEnvVars: definedOnly(env) });
  } catch (error) {
    throw new ConfigError(
      'CONFIG_INVALID_OPTION',
      `TEMPORAL_*: ${(error as Error).message}; correct the variable or Temporal's config file`,
      { cause: error },
    );
  }
  const { address } = profile;
  if (address === undefined || address === '') {
    const orphan = profile.apiKey ? 'TEMPORAL_API_KEY' : profile.namespace && 'TEMPORAL_NAMESPACE';
    if (!orphan || (orphan === 'TEMPORAL_NAMESPACE' && profile.namespace === 'default')) return;
    throw new ConfigError(
      'CONFIG_INVALID_OPTION',
      `TEMPORAL_ADDRESS: not set, while ${orphan} is; name the server it belongs to, such as ` +
        `localhost:7233, or unset ${orphan} to let orbweaver start a Temporal of its own.`,
    );
  }
  const named = env['ORBWEAVER_UI_URL']?.trim().replace(/\/+$/, '');
  const isCloud = /\.tmprl\.cloud(:\d+)?$|\.api\.temporal\.io(:\d+)?$/.test(address);
  const uiUrl = named ? named : isCloud ? 'https://cloud.temporal.io' : null;
  return { ...toClientOptions(profile), address, uiUrl };
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
