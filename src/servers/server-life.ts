/** What Redis and Temporal have in common as servers: start until ready, kill, restart, stop. */
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../errors.js';
import { endOfLog, logSize } from './log-file.js';
import {
  startWatchedProcess,
  type ProcessExit,
  type WatchedProcess,
  type WatchedProcessOptions,
} from './watched-process.js';

/** A server that runs and can be ended and started again with the same data on the same port. */
export interface RunningServer {
  /** Of the process that runs now; changes with a restart. */
  readonly pid: number;
  isRunning(): boolean;
  /** Resolves when the process that runs now has ended. */
  readonly exited: Promise<ProcessExit>;
  /** Send a signal that ends it; resolves when it has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Stop it if it runs, start it again, wait until it is ready. */
  restart(): Promise<void>;
  /** End it cleanly, by force after a bound. */
  stop(): Promise<void>;
  /** Identity of the process that runs now, for a record on disk. */
  readonly startedAt: string;
}

/** How one kind of server is started and asked. */
export interface ServerKind {
  readonly name: string;
  readonly process: WatchedProcessOptions;
  /** Is it ready? Throwing and false both mean "not yet". */
  isReady(): Promise<boolean>;
  /** Longest wait for readiness, ms. */
  readonly readyWithinMs: number;
}

/** Between two looks at a server that starts, ms: both are ready within some 200 ms. */
const POLL_MS = 20;

/**
 * Start a server and wait until it answers.
 *
 * @throws CONFIG_SERVER_UNAVAILABLE with the end of its log when it ends or stays silent
 */
export async function startServer(kind: ServerKind): Promise<RunningServer> {
  let current = await launch(kind);
  return {
    get pid() {
      return current.pid;
    },
    get startedAt() {
      return current.startedAt;
    },
    get exited() {
      return current.exited;
    },
    isRunning: () => current.isRunning(),
    kill: async (signal) => {
      await current.kill(signal);
    },
    restart: async () => {
      await current.stop();
      current = await launch(kind);
    },
    stop: async () => {
      await current.stop();
    },
  };
}

async function launch(kind: ServerKind): Promise<WatchedProcess> {
  const logStart = logSize(kind.process.logFile);
  const started = await startWatchedProcess(kind.process);
  const deadlineMs = performance.now() + kind.readyWithinMs;
  while (started.isRunning() && performance.now() < deadlineMs) {
    if (await kind.isReady().catch(() => false)) return started;
    await delay(POLL_MS);
  }
  const silent = started.isRunning();
  const exit = await started.stop();
  const how = silent
    ? `did not answer within ${kind.readyWithinMs / 1000} s`
    : `ended at once (exit code ${exit.code ?? 'none'})`;
  throw new ConfigError(
    'CONFIG_SERVER_UNAVAILABLE',
    `${kind.name} ${how}: ${kind.process.executable}. End of its log ${kind.process.logFile}:\n${endOfLog(kind.process.logFile, logStart)}`,
    { details: { executable: kind.process.executable, logFile: kind.process.logFile } },
  );
}
