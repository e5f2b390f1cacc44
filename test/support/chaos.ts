/** Instruments for tests that break things: moments, kills, waiting, and processes to kill. */
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from './synthetic-web/random.js';

/** Random moments that are the same for the same seed. */
export interface MomentOptions {
  readonly seed: number;
  readonly count: number;
  /** Shortest and longest distance from one moment to the next, in ms. */
  readonly minMs: number;
  readonly maxMs: number;
}

/** Distances in ms, from the start to the first moment and from each to the next. */
export function randomMoments({ seed, count, minMs, maxMs }: MomentOptions): number[] {
  if (!(minMs >= 0 && maxMs >= minMs)) {
    throw new Error(`minMs, maxMs: ${minMs}, ${maxMs} is not a range; give 0 <= minMs <= maxMs`);
  }
  const random = createRandom(`moments/${seed}`);
  return Array.from({ length: count }, () => minMs + random.int(maxMs - minMs + 1));
}

/** How {@link waitFor} waits. */
export interface WaitOptions {
  /** What is waited for, for the error: "the crawl is running". */
  readonly what: string;
  /** @default 30_000 */
  readonly timeoutMs?: number;
  /** @default 50 */
  readonly everyMs?: number;
}

/**
 * Wait until a condition holds; resolves to what it returned.
 *
 * @param condition false, null or undefined: not yet. It may throw meanwhile; the last error is told.
 * @throws Error naming what was waited for, and the last answer, when the time is up
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { what, timeoutMs = 30_000, everyMs = 50 }: WaitOptions,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    let last: unknown;
    try {
      const value = await condition();
      if (value !== false && value !== null && value !== undefined) {
        return value as Exclude<T, false | null | undefined>;
      }
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() >= deadline) {
      const told = last instanceof Error ? last.message : String(last);
      throw new Error(`waited ${timeoutMs} ms in vain: ${what} (last: ${told})`);
    }
    await delay(everyMs);
  }
}

/** Is there a process with this id that is no zombie? */
export function isAlive(pid: number): boolean {
  return statOf(pid) !== undefined;
}

/**
 * Signal every process of a group.
 *
 * @returns whether there was one; processes that ended and were not reaped count
 */
export function killGroup(groupId: number, signal: NodeJS.Signals = 'SIGKILL'): boolean {
  if (groupId <= 1) throw new Error(`groupId: ${groupId} would reach more than a group`);
  return sendSignal(-groupId, signal);
}

/**
 * Signal a process and all its descendants, whatever their groups (Linux). They are stopped first,
 * from the root down, so that none can start another meanwhile.
 *
 * @returns the ids signalled
 */
export function killTree(pid: number, signal: NodeJS.Signals = 'SIGKILL'): number[] {
  if (pid <= 1 || pid === process.pid) throw new Error(`pid: ${pid} is not one to kill`);
  const family: number[] = [];
  for (let level = [pid]; level.length > 0;) {
    for (const member of level) sendSignal(member, 'SIGSTOP');
    family.push(...level);
    level = childrenOf(level);
  }
  for (const member of family) sendSignal(member, signal);
  if (signal !== 'SIGSTOP') for (const member of family) sendSignal(member, 'SIGCONT');
  return family;
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

function childrenOf(parents: readonly number[]): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && parents.includes(statOf(pid)?.parent ?? -1));
}

function statOf(pid: number): { parent: number } | undefined {
  try {
    // The command's name, in parentheses, may hold anything; the fields start after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : { parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/** How long after its end a process's pipes may still deliver. */
const PIPE_GRACE_MS = 1_000;

/** How a process ended. */
export interface ProcessResult {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running process with a group of its own. */
export interface CliProcess {
  readonly pid: number;
  /** Resolves when it has ended and its output is read; never rejects. */
  readonly ended: Promise<ProcessResult>;
  /** What it has written so far. */
  output(): { stdout: string; stderr: string };
  /** Signal its whole group. @default 'SIGKILL' */
  kill(signal?: NodeJS.Signals): boolean;
}

/** How {@link spawnCli} starts a process. */
export interface SpawnOptions {
  /** Program and first arguments. @default node dist/cli/main.js, from the working directory */
  readonly command?: readonly [string, ...string[]];
  /** Added to this process's environment; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** @default the working directory of this process */
  readonly cwd?: string;
}

/** Start a command line in a process group of its own, so that it can be killed as a whole. */
export function spawnCli(args: readonly string[], options: SpawnOptions = {}): CliProcess {
  const [program, ...first] = options.command ?? [
    process.execPath,
    `${process.cwd()}/dist/cli/main.js`,
  ];
  const child = spawn(program, [...first, ...args], {
    cwd: options.cwd ?? process.cwd(),
    env: { ...process.env, ...options.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const { pid } = child;
  if (pid === undefined) {
    child.once('error', () => undefined);
    throw new Error(`command: "${program}" can't be started; is it installed?`);
  }
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ended = new Promise<ProcessResult>((resolve) => {
    // 'close' alone would not do: a server that outlives the CLI may hold its pipes open for ever.
    child.once('exit', (code, signal) => {
      void Promise.race([closed, delay(PIPE_GRACE_MS, undefined, { ref: false })]).then(() =>
        resolve({ code, signal, stdout, stderr }),
      );
    });
  });
  return {
    pid,
    ended,
    output: () => ({ stdout, stderr }),
    kill: (signal = 'SIGKILL') => killGroup(pid, signal),
  };
}
