/** Data directories, joined processes and conditions for the tests of the embedded servers. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, vi } from 'vitest';
import type { EmbeddedServers } from '../../../src/servers/embedded.js';
import { identifyProcess, signalProcess } from '../../../src/servers/process-identity.js';

/** Wait for a condition; the bound is a safety net, never what a test measures. */
export function until<T>(condition: () => T | Promise<T>, timeoutMs = 30_000): Promise<T> {
  return vi.waitUntil(condition, { timeout: timeoutMs, interval: 20 }) as Promise<T>;
}

/** Processes whose command line names this directory: servers, watchers and keepers of a test. */
export function processesOf(dataDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir);
      } catch {
        return false;
      }
    })
    .map(Number)
    .filter((pid) => identifyProcess(pid) !== undefined);
}

/** The server of a data directory whose executable has this name. */
export function serverOf(dataDir: string, executable: string): number {
  const pid = processesOf(dataDir).find((candidate) =>
    readFileSync(`/proc/${candidate}/cmdline`, 'utf8').split('\0')[0]?.endsWith(`/${executable}`),
  );
  if (pid === undefined) throw new Error(`no ${executable} runs for ${dataDir}`);
  return pid;
}

/** kill -9; never of "all of my group", which pid 0 would mean. */
export function killNow(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (pid <= 1) throw new Error(`${pid} is no process to kill`);
  process.kill(pid, signal);
}

/** A process that has joined, or is about to. */
export interface JoinedProcess {
  readonly child: ChildProcess;
  /** Resolves with its addresses; rejects when it ends before. */
  readonly servers: Promise<Omit<EmbeddedServers, 'close'>>;
  /** Lines it was told. */
  readonly lines: string[];
  isLost(): boolean;
  /** kill -9 of its whole process group. */
  killGroup(): void;
}

/** Start a process that joins, as the leader of a process group of its own. */
export function joinInProcess(dataDir: string): JoinedProcess {
  const script = fileURLToPath(new URL('./joined-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let lost = false;
  const servers = new Promise<Omit<EmbeddedServers, 'close'>>((resolve, reject) => {
    child.once('exit', (code, signal) => reject(new Error(`ended: ${code ?? signal}`)));
    createInterface({ input: child.stdout }).on('line', (text) => {
      const message = JSON.parse(text) as {
        line?: string;
        lost?: boolean;
        servers?: EmbeddedServers;
      };
      if (message.line !== undefined) lines.push(message.line);
      if (message.lost) lost = true;
      if (message.servers) resolve(message.servers);
    });
  });
  servers.catch(() => undefined);
  return {
    child,
    servers,
    lines,
    isLost: () => lost,
    killGroup: () => {
      if (child.pid === undefined) throw new Error('it never ran');
      process.kill(-child.pid, 'SIGKILL');
    },
  };
}

const made: string[] = [];

/** An empty data directory; whatever still runs in it after the test is ended, by pid. */
export function freshDataDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-data-'));
  made.push(dir);
  return dir;
}

afterEach(async () => {
  for (const dir of made.splice(0)) {
    await until(() => {
      const left = processesOf(dir);
      for (const pid of left) {
        const identity = identifyProcess(pid);
        if (identity) signalProcess(identity, 'SIGKILL');
      }
      return left.length === 0;
    });
    rmSync(dir, { recursive: true, force: true });
  }
});
