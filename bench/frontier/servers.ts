/** A Redis of a bench's own, with the flags that users get. */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectRedis, type Redis } from '../../src/redis/connection.js';
import { parseInfo } from '../../src/redis/server-facts.js';
import { provisionRedis } from '../../src/servers/provision.js';
import { startRedis } from '../../src/servers/redis-server.js';

/** A server that takes its data with it. */
export interface BenchRedis {
  readonly redis: Redis;
  readonly url: string;
  stop(): Promise<void>;
}

/** Start one in a scratch folder. */
export async function benchRedis(extraArgs: readonly string[] = []): Promise<BenchRedis> {
  const executable = await provisionRedis({ report: (line) => console.error(line) });
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  const server = await startRedis({ executable, dir, extraArgs });
  const redis = connectRedis(server.url);
  return {
    redis,
    url: server.url,
    stop: async () => {
      redis.disconnect();
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Bytes that the data set takes, as Redis accounts for them. */
export async function usedBytes(redis: Redis): Promise<number> {
  return Number(parseInfo(await redis.info('memory'))['used_memory_dataset'] ?? Number.NaN);
}

/** One line about the machine and the server. */
export async function machineLine(redis: Redis): Promise<string> {
  const { redis_version: version } = parseInfo(await redis.info('server'));
  return `${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, Node ${process.versions.node}, Redis ${version}`;
}
