/** Is this Redis fit to hold a frontier (Q4)? Asked by doctor and by each worker at its start. */
import { ConfigError } from '../errors.js';
import { explainRedisError, type Redis } from '../redis/connection.js';
import type { Check } from './doctor-checks.js';
import { formatBytes } from './display/format.js';
import type { Engine } from './engine.js';

/** Scripts declare themselves with `#!lua`, which Redis knows from here on. */
const MIN_MAJOR = 7;
/** Used share of maxmemory from which the next large crawl may not fit. */
const CROWDED = 0.8;

/** Facts of a Redis, as INFO tells them. */
export interface RedisFacts {
  readonly info: ReadonlyMap<string, string>;
  readonly hasBloom: boolean;
}

/** @throws FRONTIER_UNAVAILABLE */
export async function readRedisFacts(redis: Redis): Promise<RedisFacts> {
  try {
    const text = await redis.info();
    const info = new Map(
      text.split('\r\n').flatMap((line): [string, string][] => {
        const at = line.indexOf(':');
        return at < 0 || line.startsWith('#') ? [] : [[line.slice(0, at), line.slice(at + 1)]];
      }),
    );
    const [bloom] = (await redis.call('COMMAND', 'INFO', 'BF.INSERT')) as unknown[];
    return { info, hasBloom: bloom !== null && bloom !== undefined };
  } catch (error) {
    throw explainRedisError(error);
  }
}

/** Findings about a Redis. Pure. */
export function judgeRedis({ info, hasBloom }: RedisFacts): Check[] {
  const value = (name: string) => info.get(name) ?? '';
  const version = value('redis_version');
  const policy = value('maxmemory_policy');
  const limit = Number(value('maxmemory') || 0);
  const used = Number(value('used_memory') || 0);
  const checks: Check[] = [];
  const add = (
    name: string,
    isWell: boolean,
    detail: string,
    bad: Check['status'],
    remedy: string,
  ) =>
    checks.push({
      name: `Redis ${name}`,
      status: isWell ? 'ok' : bad,
      detail,
      ...(isWell ? {} : { remedy }),
    });

  add(
    'version',
    Number.parseInt(version, 10) >= MIN_MAJOR,
    version || 'unknown',
    'fail',
    'use Redis 8 or later (or Redis Stack 7 or later)',
  );
  add(
    'role',
    value('role') !== 'slave',
    value('role') === 'slave' ? 'replica' : 'master',
    'fail',
    'name the master in REDIS_URL: a replica takes no writes',
  );
  add(
    'cluster',
    value('cluster_enabled') !== '1',
    value('cluster_enabled') === '1' ? 'cluster mode' : 'one node',
    'fail',
    'use a Redis that is no cluster: a crawl lives on one node',
  );
  add(
    'eviction',
    policy === 'noeviction' || policy === '',
    policy || 'unknown',
    'fail',
    'CONFIG SET maxmemory-policy noeviction: any other throws queued URLs away when memory is short',
  );
  add(
    'persistence',
    value('aof_enabled') === '1',
    value('aof_enabled') === '1' ? 'append-only file' : 'no append-only file',
    'warn',
    'CONFIG SET appendonly yes, and keep it in the configuration: without it a restart loses crawls',
  );
  add(
    'Bloom filter',
    hasBloom,
    hasBloom ? 'BF.* is there' : 'no BF.*',
    'warn',
    'use Redis 8 or Redis Stack, or crawl with --dedupe exact',
  );
  add(
    'memory',
    limit === 0 || used < limit * CROWDED,
    limit === 0
      ? `${formatBytes(used)} used, no limit`
      : `${formatBytes(used)} of ${formatBytes(limit)} used`,
    used >= limit ? 'fail' : 'warn',
    'raise maxmemory or delete finished crawls (orbweaver delete): a full Redis stops every crawl',
  );
  return checks;
}

/**
 * Refuse a Redis that would lose URLs; say what is only doubtful.
 *
 * @throws CONFIG_SERVER_UNFIT naming every failed check and its remedy; FRONTIER_UNAVAILABLE
 */
export async function requireFitRedis(
  engine: Pick<Engine, 'redis' | 'redisDisplay'>,
  say: (line: string) => void,
): Promise<void> {
  const checks = judgeRedis(await readRedisFacts(engine.redis));
  const text = ({ name, detail, remedy }: Check) => `${name}: ${detail}; ${remedy ?? ''}`;
  for (const check of checks.filter(({ status }) => status === 'warn')) {
    say(`warning: ${text(check)}`);
  }
  const failed = checks.filter(({ status }) => status === 'fail');
  if (failed.length === 0) return;
  throw new ConfigError(
    'CONFIG_SERVER_UNFIT',
    `REDIS_URL: ${engine.redisDisplay} is not fit to hold a crawl:\n${failed.map((check) => `- ${text(check)}`).join('\n')}`,
    { details: { failed: failed.map(({ name }) => name) } },
  );
}
