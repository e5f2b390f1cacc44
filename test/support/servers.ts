/** Servers of a test's own, for tests that kill, restart or truncate them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { startRedis, type RedisServer } from '../../src/servers/redis-server.js';
import { startTemporal, type TemporalServer } from '../../src/servers/temporal-server.js';

/** A server that takes its data with it. */
export interface Disposable {
  /** Stop the server and remove its data; call it in afterAll or finally. */
  dispose(): Promise<void>;
}

/**
 * A Redis with an empty data directory (AOF under `dir`/appendonlydir), same flags as the shared one.
 *
 * @param extraArgs appended, so they win, such as `['--appendfsync', 'always']`
 */
export async function freshRedis(
  extraArgs: readonly string[] = [],
): Promise<RedisServer & Disposable> {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-redis-'));
  const executable = inject('redisExecutable');
  return disposable(await startRedis({ executable, dir, extraArgs }), dir);
}

/** A Temporal dev server with an empty database, same flags as the shared one. */
export async function freshTemporal(
  extraArgs: readonly string[] = [],
): Promise<TemporalServer & Disposable> {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-temporal-'));
  const executable = { path: inject('temporalExecutable') };
  const dbFile = join(dir, 'temporal.db');
  return disposable(await startTemporal({ executable, dbFile, extraArgs }), dir);
}

function disposable<T extends RedisServer | TemporalServer>(
  server: T,
  dir: string,
): T & Disposable {
  return Object.assign(server, {
    dispose: async () => {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  });
}
