/** A real Temporal dev server for one data directory: SQLite in WAL mode, web UI, loopback only. */
import { dirname, join, resolve } from 'node:path';
import { freePorts, LOOPBACK } from './ports.js';
import { askTemporal } from './temporal-ask.js';
import type { ProcessIdentity } from './process-identity.js';
import { startServer, type RunningServer } from './server-life.js';
import { makeFolders } from '../folders.js';

/** The Temporal CLI. */
export interface TemporalExecutable {
  readonly path: string;
}

/** Ports of one dev server; each defaults to a free one. */
export interface TemporalPorts {
  readonly port?: number;
  readonly uiPort?: number;
  readonly httpPort?: number;
}

/** Options of {@link startTemporal}. */
export interface TemporalServerOptions extends TemporalPorts {
  readonly executable: TemporalExecutable;
  /** SQLite file; made when missing. */
  readonly dbFile: string;
  /** Default: `temporal.log` beside `dbFile`. */
  readonly logFile?: string;
  /** How long closed workflows are kept, seconds. Default 3,600: SQLite grows by ~3 KB a turn. */
  readonly retentionSeconds?: number;
  /** Appended last, so they win. */
  readonly extraArgs?: readonly string[];
  /** Hears of each process that is started, before it is ready. */
  readonly onSpawn?: (identity: ProcessIdentity) => void;
}

/** A running Temporal dev server. */
export interface TemporalServer extends RunningServer {
  /** `host:port` of its gRPC service. */
  readonly address: string;
  readonly namespace: 'default';
  readonly uiUrl: string;
  readonly ports: Required<TemporalPorts>;
}

/** Search attributes that the workflows set; both are Keyword. */
export const SEARCH_ATTRIBUTES = ['CrawlId'] as const;

/**
 * Without the pragmas SQLite syncs every commit (6–12 turns a second instead of 45); without the
 * timer setting a durable timer under a second takes a whole one. The value is JSON in one word.
 */
const TEMPORAL_ARGS: readonly string[] = [
  ...['--ip', LOOPBACK],
  ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'],
  ...['--dynamic-config-value', 'history.timerProcessorMaxTimeShift="20ms"'],
  ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ...['--log-level', 'warn', '--ui-disable-news-fetch'],
  // TEMPORAL_* of the user's shell means a server of their own, never this one.
  ...['--disable-config-env', '--disable-config-file'],
];

const READY_WITHIN_MS = 60_000;

/**
 * Start a Temporal dev server and wait until its namespace answers and has its retention.
 *
 * @throws CONFIG_SERVER_UNAVAILABLE with the end of its log
 */
export async function startTemporal(options: TemporalServerOptions): Promise<TemporalServer> {
  const dbFile = resolve(options.dbFile);
  const dir = dirname(dbFile);
  makeFolders(dir);
  const free = await freePorts(3);
  const port = options.port ?? free[0] ?? 0;
  const uiPort = options.uiPort ?? free[1] ?? 0;
  const httpPort = options.httpPort ?? free[2] ?? 0;
  const retention = `${options.retentionSeconds ?? 3_600}s`;
  const server = await startServer({
    name: 'Temporal',
    process: {
      executable: options.executable.path,
      args: [
        ...['server', 'start-dev', '--db-filename', dbFile, '--port', String(port)],
        ...['--ui-port', String(uiPort), '--http-port', String(httpPort)],
        ...TEMPORAL_ARGS,
        ...(options.extraArgs ?? []),
      ],
      cwd: dir,
      logFile: options.logFile ?? join(dir, 'temporal.log'),
      ...(options.onSpawn ? { onSpawn: options.onSpawn } : {}),
    },
    isReady: async () => {
      const retained = await askTemporal(httpPort, 'GET', '/api/v1/namespaces/default');
      if (retained.config?.workflowExecutionRetentionTtl === retention) return true;
      // The dev server has no flag for it and starts new namespaces with 24 h.
      await askTemporal(httpPort, 'POST', '/api/v1/namespaces/default/update', {
        config: { workflowExecutionRetentionTtl: retention },
      });
      return false;
    },
    readyWithinMs: READY_WITHIN_MS,
  });
  return Object.defineProperties(server as TemporalServer, {
    address: { value: `${LOOPBACK}:${port}`, enumerable: true },
    namespace: { value: 'default', enumerable: true },
    uiUrl: { value: `http://${LOOPBACK}:${uiPort}`, enumerable: true },
    ports: { value: { port, uiPort, httpPort }, enumerable: true },
  });
}
