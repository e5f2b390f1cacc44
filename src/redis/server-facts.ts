/** What a Redis server says of itself, as far as the engine cares. */
import { explainRedisError, type Redis } from './connection.js';

/** Facts of one server. Null: the server does not tell (CONFIG is often denied to users). */
export interface ServerFacts {
  /** Such as `8.2.3`. */
  readonly version: string;
  readonly role: string;
  readonly evictionPolicy: string;
  readonly usedBytes: number;
  /** 0: no limit but the machine's. */
  readonly maxBytes: number;
  readonly machineBytes: number;
  readonly isAofOn: boolean;
  readonly aofWriteStatus: string;
  readonly appendfsync: string | null;
  readonly savePoints: string | null;
  readonly lastSaveStatus: string;
  readonly listCompressDepth: number | null;
  readonly hasBloom: boolean;
}

/** @throws FRONTIER_UNAVAILABLE (retryable) */
export async function readServerFacts(redis: Redis): Promise<ServerFacts> {
  try {
    const info = parseInfo(await redis.info());
    const [reserve] = (await redis.call('COMMAND', 'INFO', 'bf.reserve')) as unknown[];
    const depth = await readConfig(redis, 'list-compress-depth');
    return {
      version: info['redis_version'] ?? '0',
      role: info['role'] ?? 'unknown',
      evictionPolicy: info['maxmemory_policy'] ?? 'unknown',
      usedBytes: Number(info['used_memory'] ?? 0),
      maxBytes: Number(info['maxmemory'] ?? 0),
      machineBytes: Number(info['total_system_memory'] ?? 0),
      isAofOn: info['aof_enabled'] === '1',
      aofWriteStatus: info['aof_last_write_status'] ?? 'unknown',
      appendfsync: await readConfig(redis, 'appendfsync'),
      savePoints: await readConfig(redis, 'save'),
      lastSaveStatus: info['rdb_last_bgsave_status'] ?? 'unknown',
      listCompressDepth: depth === null ? null : Number(depth),
      hasBloom: Array.isArray(reserve),
    };
  } catch (error) {
    throw explainRedisError(error);
  }
}

/** Lines `name:value` of INFO. */
export function parseInfo(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^([^#:\r\n]+):([^\r\n]*)/gm)].map((match) => [match[1]!, match[2]!]),
  );
}

async function readConfig(redis: Redis, name: string): Promise<string | null> {
  try {
    const [, value] = (await redis.config('GET', name)) as string[];
    return value ?? null;
  } catch (error) {
    // Denied by an ACL, or taken away by a provider: that is no fault of the server.
    if (error instanceof Error && /^(NOPERM|ERR unknown command)/.test(error.message)) return null;
    throw error;
  }
}
