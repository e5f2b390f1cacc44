/**
 * The keeper: owns both servers of a data directory for as long as anybody is connected to it.
 * A client is a connection; the kernel closes it however the client ends.
 */
import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CrawlError, type ConfigErrorCode } from '../errors.js';
import { openDataDir, socketPaths, writeRecord, type DataDir } from './data-dir.js';
import {
  KEEPER_PROTOCOL,
  sendMessage,
  type KeeperConfig,
  type KeeperMessage,
} from './keeper-protocol.js';
import { choosePorts } from './kept-ports.js';
import { endLeftProcesses, recordProcess } from './left-processes.js';
import { identifyProcess, type ProcessIdentity } from './process-identity.js';
import { startRedis } from './redis-server.js';
import type { RunningServer } from './server-life.js';
import { supervise } from './supervise.js';
import { startTemporal } from './temporal-server.js';

/** After the last client left: a follow-up command joins within this, ms. */
const LINGER_MS = 1_000;
/** The first client must come within this, ms. */
const FIRST_CLIENT_MS = 10_000;
/** Supervisors end at once unless they are restarting a server, ms. */
const SUPERVISORS_END_MS = 2_000;

/** A server and what people call it. */
interface NamedServer {
  readonly name: string;
  readonly server: RunningServer;
}

/**
 * Start the servers, serve clients, stop the servers after the last client.
 * The caller holds the keeper lock of the data directory.
 *
 * @param log one line for the keeper's log
 * @param stopAsked aborts when the process was asked to end
 */
export async function keepServers(
  config: KeeperConfig,
  log: (line: string) => void,
  stopAsked: AbortSignal,
): Promise<void> {
  const dataDir = openDataDir(config.dataDir);
  const self = identifyProcess(process.pid);
  if (self === undefined) throw new Error('the keeper has no identity');
  const clients = new ClientCircle(log);
  stopAsked.addEventListener('abort', () => clients.end(), { once: true });
  const listener = await listen(dataDir, self, clients);
  const stopping = new AbortController();
  const servers: NamedServer[] = [];
  let supervised: Promise<unknown> = Promise.resolve();
  try {
    const started = await startServers(dataDir, config, clients, servers);
    clients.say({ type: 'ready', protocol: KEEPER_PROTOCOL, keeper: self, ...started });
    const report = (line: string): void => clients.report(line);
    supervised = Promise.all(
      servers.map(({ name, server }) => supervise(name, server, report, stopping.signal)),
    );
    await clients.allGone;
    log('no client is left: stopping');
  } catch (error) {
    const code = error instanceof CrawlError ? error.code : 'CONFIG_SERVER_UNAVAILABLE';
    clients.say({
      type: 'failed',
      code: code as ConfigErrorCode,
      message: (error as Error).message,
    });
    throw error;
  } finally {
    stopping.abort();
    // Nobody can connect any more; who waits in the queue is cut off and comes to the next keeper.
    listener.close();
    clients.disconnect();
    // A restart that is under way may take long; its watcher ends it with us.
    await Promise.race([supervised, delay(SUPERVISORS_END_MS, undefined, { ref: false })]);
    await Promise.all(servers.map(({ server }) => server.stop()));
    rmSync(dataDir.keeperFile, { force: true });
  }
}

async function startServers(
  dataDir: DataDir,
  config: KeeperConfig,
  clients: ClientCircle,
  servers: NamedServer[],
): Promise<Pick<KeeperMessage & { type: 'ready' }, 'addresses'>> {
  for (const name of await endLeftProcesses(dataDir)) {
    clients.report(`${name}: ended one that a killed process had left behind`);
  }
  const ports = await choosePorts(dataDir, config.ports);
  const onSpawn = (name: string) => (identity: ProcessIdentity) =>
    recordProcess(dataDir, name, identity);
  clients.report('Redis: starting');
  clients.report('Temporal: starting');
  const [redis, temporal] = await Promise.allSettled([
    startRedis({
      executable: config.redis,
      dir: dataDir.redisDir,
      port: ports.redisPort,
      logFile: join(dataDir.logsDir, 'redis.log'),
      onSpawn: onSpawn('Redis'),
    }).then((server) => {
      servers.push({ name: 'Redis', server });
      clients.report(`Redis: ready on ${server.url}`);
      return server;
    }),
    startTemporal({
      executable: config.temporal,
      dbFile: dataDir.temporalDb,
      port: ports.temporalPort,
      uiPort: ports.uiPort,
      httpPort: ports.httpPort,
      logFile: join(dataDir.logsDir, 'temporal.log'),
      onSpawn: onSpawn('Temporal'),
    }).then((server) => {
      servers.push({ name: 'Temporal', server });
      clients.report(`Temporal: ready on ${server.address}, web UI ${server.uiUrl}`);
      return server;
    }),
  ]);
  if (redis.status === 'rejected') throw redis.reason;
  if (temporal.status === 'rejected') throw temporal.reason;
  return {
    addresses: {
      temporalAddress: temporal.value.address,
      namespace: temporal.value.namespace,
      uiUrl: temporal.value.uiUrl,
      redisUrl: redis.value.url,
    },
  };
}

/** The connected clients, and the clock that runs while there are none. */
class ClientCircle {
  readonly allGone: Promise<void>;
  readonly #log: (line: string) => void;
  readonly #sockets = new Set<Socket>();
  /** All that a client who comes now has missed. */
  readonly #said: KeeperMessage[] = [];
  #timer: NodeJS.Timeout | undefined;
  #resolveGone: () => void = () => undefined;

  constructor(log: (line: string) => void) {
    this.#log = log;
    this.allGone = new Promise((resolve) => (this.#resolveGone = resolve));
    this.#waitForClients(FIRST_CLIENT_MS);
  }

  add(socket: Socket): void {
    clearTimeout(this.#timer);
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.resume();
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.#waitForClients(LINGER_MS);
    });
    for (const message of this.#said) sendMessage(socket, message);
  }

  report(line: string): void {
    this.#log(line);
    this.say({ type: 'report', line });
  }

  say(message: KeeperMessage): void {
    // Once the servers are ready, how they came up is no news to those who come later.
    if (message.type === 'ready') this.#said.length = 0;
    if (message.type !== 'report' || !this.#said.some(({ type }) => type === 'ready')) {
      this.#said.push(message);
    }
    for (const socket of this.#sockets) sendMessage(socket, message);
  }

  /** Treat all clients as gone. */
  end(): void {
    this.#resolveGone();
  }

  disconnect(): void {
    clearTimeout(this.#timer);
    for (const socket of this.#sockets) socket.end();
  }

  #waitForClients(waitMs: number): void {
    this.#timer = setTimeout(() => this.#resolveGone(), waitMs);
  }
}

async function listen(
  dataDir: DataDir,
  self: ProcessIdentity,
  clients: ClientCircle,
): Promise<Server> {
  let failure: unknown = new Error('no path for a socket is short enough');
  for (const socketPath of socketPaths(dataDir)) {
    const server = createServer((socket) => clients.add(socket));
    // We hold the lock, so whatever is there is stale.
    rmSync(socketPath, { force: true });
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(socketPath, resolve);
      });
      writeRecord(dataDir.keeperFile, { ...self, socketPath });
      return server;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
