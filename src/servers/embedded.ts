/**
 * Servers for people who have none: a real Temporal and a real Redis in a data directory, shared by
 * all processes that use it and gone with the last of them.
 */
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import { ConfigError } from '../errors.js';
import { openDataDir, type DataDir } from './data-dir.js';
import { connectToKeeper, keeperLogFile, spawnKeeper } from './keeper-connection.js';
import {
  KEEPER_PROTOCOL,
  readMessages,
  type AskedPorts,
  type KeeperMessage,
  type ServerAddresses,
} from './keeper-protocol.js';
import { endOfLog, logSize } from './log-file.js';
import { provisionRedis, provisionTemporal, type ProvisionInput } from './provision.js';

/** Options of {@link joinEmbeddedServers}; ports default to those of last time, else free ones. */
export interface EmbeddedServersOptions extends AskedPorts {
  /** Made when missing. */
  readonly dataDir: string;
  /** One line per step and per later event, for a person. */
  readonly report: (line: string) => void;
  /** The servers are going: their keeper ended without us. Joining again starts them again. */
  readonly onLost?: () => void;
  /** Cache of provisioned executables. Default: the user's. */
  readonly cacheDir?: string;
}

/** Servers that run for as long as this process is connected. */
export interface EmbeddedServers extends ServerAddresses {
  readonly dataDir: string;
  /** They were running already. */
  readonly joined: boolean;
  readonly keeperPid: number;
  /** Let go: the last one to do so (or to die) ends the servers, about a second later. */
  close(): Promise<void>;
}

/** Keepers may come and go under us a few times; this often means that something is wrong. */
const MAX_KEEPERS = 5;
/** A keeper must be reachable within this, ms; how long its servers take is another matter. */
const REACHABLE_WITHIN_MS = 90_000;

/**
 * Join the servers of a data directory, starting them when they don't run.
 *
 * @throws CONFIG_SERVER_UNAVAILABLE saying what failed and what to do
 * @throws CONFIG_INVALID_OPTION for a data directory or port that can't be
 */
export async function joinEmbeddedServers(
  options: EmbeddedServersOptions,
): Promise<EmbeddedServers> {
  if (process.platform === 'win32') {
    throw new ConfigError(
      'CONFIG_SERVER_UNAVAILABLE',
      'Servers of its own: orbweaver starts them on Linux and macOS only (on Windows inside WSL). Set TEMPORAL_ADDRESS and REDIS_URL to servers of your own.',
    );
  }
  checkPorts(options);
  const dataDir = openDataDir(options.dataDir);
  const logStart = logSize(keeperLogFile(dataDir));
  let keeper: ChildProcess | undefined;
  let keepers = 0;
  const deadlineMs = performance.now() + REACHABLE_WITHIN_MS;
  while (performance.now() < deadlineMs) {
    const socket = await connectToKeeper(dataDir);
    if (socket) {
      const ready = await waitUntilReady(socket, options.report).catch((error: unknown) => {
        socket.destroy();
        throw error;
      });
      if (ready) return joinedServers(options, dataDir, socket, ready, keeper);
    } else if (keeper === undefined || hasEnded(keeper)) {
      if (keeper !== undefined && keeper.exitCode !== 0) break;
      if (++keepers > MAX_KEEPERS) break;
      keeper = await startKeeper(options, dataDir);
    }
    await delay(15);
  }
  throw new ConfigError(
    'CONFIG_SERVER_UNAVAILABLE',
    `The servers of ${dataDir.root} could not be started. End of ${keeperLogFile(dataDir)}:\n${endOfLog(keeperLogFile(dataDir), logStart)}`,
  );
}

async function startKeeper(
  options: EmbeddedServersOptions,
  dataDir: DataDir,
): Promise<ChildProcess> {
  const input: ProvisionInput = {
    report: options.report,
    ...(options.cacheDir === undefined ? {} : { cacheDir: options.cacheDir }),
  };
  const [redis, temporal] = await Promise.all([provisionRedis(input), provisionTemporal(input)]);
  const { temporalPort, uiPort, redisPort } = options;
  const ports: AskedPorts = {
    ...(temporalPort === undefined ? {} : { temporalPort }),
    ...(uiPort === undefined ? {} : { uiPort }),
    ...(redisPort === undefined ? {} : { redisPort }),
  };
  return spawnKeeper(dataDir, { dataDir: dataDir.root, redis, temporal, ports });
}

type ReadyMessage = KeeperMessage & { type: 'ready' };

/** @returns undefined when the keeper went away before its servers were ready */
function waitUntilReady(
  socket: Socket,
  report: (line: string) => void,
): Promise<ReadyMessage | undefined> {
  return new Promise((resolve, reject) => {
    socket.once('close', () => resolve(undefined));
    readMessages(socket, (message) => {
      if (message.type === 'report') report(message.line);
      else if (message.type === 'failed') reject(new ConfigError(message.code, message.message));
      else if (message.protocol === KEEPER_PROTOCOL) resolve(message);
      else {
        reject(
          new ConfigError(
            'CONFIG_SERVER_UNAVAILABLE',
            `The servers were started by another version of orbweaver (process ${message.keeper.pid}). End its commands, then try again.`,
          ),
        );
      }
    });
  });
}

function joinedServers(
  options: EmbeddedServersOptions,
  dataDir: DataDir,
  socket: Socket,
  ready: ReadyMessage,
  keeper: ChildProcess | undefined,
): EmbeddedServers {
  const { addresses } = ready;
  if (socket.destroyed) options.onLost?.();
  let isClosing = false;
  socket.once('close', () => {
    if (!isClosing) options.onLost?.();
  });
  // The connection lives as long as the process; it is no reason for the process to live.
  socket.unref();
  const uiPort = Number(new URL(addresses.uiUrl).port);
  if (options.uiPort !== undefined && options.uiPort !== uiPort) {
    options.report(`Temporal: runs already, its web UI stays on ${addresses.uiUrl}`);
  }
  return {
    ...addresses,
    dataDir: dataDir.root,
    joined: ready.keeper.pid !== keeper?.pid,
    keeperPid: ready.keeper.pid,
    close: () => {
      isClosing = true;
      return new Promise((resolve) => {
        if (socket.destroyed) {
          resolve();
          return;
        }
        socket.ref();
        socket.once('close', () => resolve());
        socket.destroy();
      });
    },
  };
}

function checkPorts(options: EmbeddedServersOptions): void {
  for (const name of ['temporalPort', 'uiPort', 'redisPort'] as const) {
    const port = options[name];
    if (port === undefined || (Number.isInteger(port) && port >= 1 && port <= 65_535)) continue;
    throw new ConfigError(
      'CONFIG_INVALID_OPTION',
      `${name}: ${port} is no port. Give a whole number from 1 to 65535, or leave it out.`,
    );
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}
