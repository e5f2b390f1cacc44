/**
 * A server process that can't outlive the process that started it, however that one ends.
 * The server is the child of a shell that holds the read end of a pipe; nobody ever writes to it,
 * and the kernel closes the write end with the starter, so end-of-file is the starter's death.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { openLog } from './log-file.js';
import { identifyProcess, signalProcess, type ProcessIdentity } from './process-identity.js';

/**
 * $0.. is the command. fd 0: the life line; fd 3: where the server's pid is written.
 * A shell starts background commands with SIGINT ignored, so servers are ended with SIGTERM.
 */
const WATCH_SCRIPT = `
exec 5<&0
"$@" </dev/null 3>&- 5<&- &
server=$!
echo "$server" >&3
exec 3>&-
(
  read -r line
  kill -TERM "$server" 2>/dev/null
  n=0
  while kill -0 "$server" 2>/dev/null && [ "$n" -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
  kill -KILL "$server" 2>/dev/null
) <&5 >/dev/null 2>&1 &
reader=$!
exec 5<&-
wait "$server"
code=$?
kill "$reader" 2>/dev/null
exit "$code"
`;

/** What to run. */
export interface WatchedProcessOptions {
  readonly executable: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** stdout and stderr are appended here. */
  readonly logFile: string;
  /** Hears of the process as soon as it exists, before it is ready; each time it is started. */
  readonly onSpawn?: (identity: ProcessIdentity) => void;
}

/** How it ended: as the shell says it, so a signal is 128 + its number. */
export interface ProcessExit {
  readonly code: number | null;
}

/** A running server process. */
export interface WatchedProcess extends ProcessIdentity {
  /** Resolves once, when the server has ended. */
  readonly exited: Promise<ProcessExit>;
  isRunning(): boolean;
  /** Send a signal; resolves when the process has ended. Only for signals that end it. */
  kill(signal: NodeJS.Signals): Promise<ProcessExit>;
  /** SIGTERM, then SIGKILL after `patienceMs`; resolves when it has ended. */
  stop(patienceMs?: number): Promise<ProcessExit>;
}

/** How long a server may take to end by itself: Redis writes its snapshot then. */
const STOP_PATIENCE_MS = 15_000;

/**
 * Start a server under its watcher.
 *
 * @throws Error when the executable can't be started; its message is for the log's reader
 */
export async function startWatchedProcess(options: WatchedProcessOptions): Promise<WatchedProcess> {
  const log = openLog(options.logFile);
  let shell: ChildProcess;
  try {
    shell = spawn(
      '/bin/sh',
      ['-c', WATCH_SCRIPT, 'orbweaver-watch', options.executable, ...options.args],
      { cwd: options.cwd, stdio: ['pipe', log, log, 'pipe'] },
    );
  } finally {
    closeSync(log);
  }
  const shellExited = new Promise<ProcessExit>((resolve) => {
    shell.once('error', () => resolve({ code: null }));
    shell.once('exit', (code) => resolve({ code }));
  });
  // A dead shell breaks the life line; that is not an error of the starter.
  shell.stdin?.on('error', () => undefined);
  const pid = await readPid(shell.stdio[3] as Readable | null);
  const identity = identifyProcess(pid);
  if (pid === 0) throw new Error(`${options.executable} could not be started`);
  if (identity) options.onSpawn?.(identity);

  let running = true;
  const exited = shellExited.then((exit) => {
    // The shell itself may have been killed: its server must not stay behind.
    if (identity) signalProcess(identity, 'SIGKILL');
    running = false;
    return exit;
  });
  const send = (signal: NodeJS.Signals): void => {
    if (identity) signalProcess(identity, signal);
  };
  return {
    pid,
    startedAt: identity?.startedAt ?? '',
    exited,
    isRunning: () => running,
    kill: (signal) => {
      send(signal);
      return exited;
    },
    stop: async (patienceMs = STOP_PATIENCE_MS) => {
      send('SIGTERM');
      const patience = new AbortController();
      const ended = await Promise.race([
        exited.then(() => true),
        delay(patienceMs, false, { signal: patience.signal }).catch(() => false),
      ]);
      patience.abort();
      if (!ended) send('SIGKILL');
      return exited;
    },
  };
}

async function readPid(stream: Readable | null): Promise<number> {
  let text = '';
  if (stream) {
    try {
      for await (const chunk of stream) text += String(chunk);
    } catch {
      // Treated as no pid below.
    }
  }
  return Number.parseInt(text, 10) || 0;
}
