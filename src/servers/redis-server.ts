/** A real Redis for one data directory: AOF and RDB both on, never evicting, loopback only. */
import { join, resolve } from 'node:path';
import { freePorts, LOOPBACK } from './ports.js';
import { askRedis } from './redis-ask.js';
import type { ProcessIdentity } from './process-identity.js';
import { startServer, type RunningServer } from './server-life.js';
import { makeFolders } from '../folders.js';

/** A redis-server and the modules that give it BF.* (none from version 8 on). */
export interface RedisExecutable {
  readonly path: string;
  /** Absolute paths for --loadmodule. */
  readonly modules: readonly string[];
}

/** Options of {@link startRedis}. */
export interface RedisServerOptions {
  readonly executable: RedisExecutable;
  /** Holds AOF and RDB; made when missing. */
  readonly dir: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Default: `redis.log` in `dir`. */
  readonly logFile?: string;
  /** Appended last, so they win. */
  readonly extraArgs?: readonly string[];
  /** Hears of each process that is started, before it is ready. */
  readonly onSpawn?: (identity: ProcessIdentity) => void;
}

/** A running Redis. */
export interface RedisServer extends RunningServer {
  readonly url: string;
  readonly port: number;
  readonly dir: string;
}

/**
 * AOF and RDB both on (F9), noeviction (Q4); lists packed in 8 KiB nodes, all but the ends
 * compressed, because the queues of waiting URLs are lists.
 */
const REDIS_ARGS: readonly string[] = [
  ['--bind', LOOPBACK],
  ['--protected-mode', 'yes'],
  ['--daemonize', 'no'],
  // Its command line then names the data directory, for whoever looks at a list of processes.
  ['--set-proc-title', 'no'],
  ['--appendonly', 'yes'],
  ['--appendfsync', 'everysec'],
  ['--aof-load-truncated', 'yes'],
  ['--save', '3600 1 300 100 60 10000'],
  ['--maxmemory-policy', 'noeviction'],
  ['--list-compress-depth', '1'],
  ['--list-max-listpack-size', '-2'],
].flat();

/** A large AOF takes its time to load; meanwhile the server answers "loading". */
const READY_WITHIN_MS = 600_000;

/**
 * Start a Redis and wait until it answers PING (that is, until its data is loaded).
 *
 * @throws CONFIG_SERVER_UNAVAILABLE with the end of its log
 */
export async function startRedis(options: RedisServerOptions): Promise<RedisServer> {
  const dir = resolve(options.dir);
  makeFolders(dir);
  const port = options.port ?? (await freePorts(1))[0] ?? 0;
  const modules = options.executable.modules.flatMap((module) => ['--loadmodule', module]);
  const server = await startServer({
    name: 'Redis',
    process: {
      executable: options.executable.path,
      args: [
        ...['--port', String(port), '--dir', dir],
        ...REDIS_ARGS,
        ...modules,
        ...(options.extraArgs ?? []),
      ],
      cwd: dir,
      logFile: options.logFile ?? join(dir, 'redis.log'),
      ...(options.onSpawn ? { onSpawn: options.onSpawn } : {}),
    },
    isReady: async () => (await askRedis({ host: LOOPBACK, port }, ['PING'])) === '+PONG',
    readyWithinMs: READY_WITHIN_MS,
  });
  return Object.defineProperties(server as RedisServer, {
    url: { value: `redis://${LOOPBACK}:${port}`, enumerable: true },
    port: { value: port, enumerable: true },
    dir: { value: dir, enumerable: true },
  });
}
