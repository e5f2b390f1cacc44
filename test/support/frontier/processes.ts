/** The parent's side of frontier-process.ts: start, read what it says line by line, kill. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ProcessInput } from './frontier-process.js';

const ENTRY = fileURLToPath(new URL('./frontier-process.ts', import.meta.url));

/** A process at work. */
export interface FrontierProcess<Result> {
  /** Its result; rejects when it ends without one, unless it was killed. */
  readonly result: Promise<Result | null>;
  /** Lines that it said before its result. */
  readonly lines: readonly string[];
  /** Resolves when it has said so many lines. */
  said(count: number): Promise<void>;
  kill(): Promise<void>;
}

/** Start a process of a role. */
export function startProcess<Result>(input: ProcessInput): FrontierProcess<Result> {
  const child = spawn(process.execPath, ['--import', 'tsx', ENTRY, JSON.stringify(input)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let result: Result | null = null;
  let wasKilled = false;
  createInterface(child.stdout).on('line', (line) => {
    if (line.startsWith('result ')) {
      result = JSON.parse(line.slice('result '.length)) as Result;
      return;
    }
    lines.push(line);
    for (const { count, resolve } of waiting) if (lines.length >= count) resolve();
  });
  const ended = endOf(child);
  return {
    lines,
    result: ended.then((code) => {
      if (code !== 0 && !wasKilled) throw new Error(`${input.role} process ended with ${code}`);
      return result;
    }),
    said: (count) =>
      new Promise((resolve) => {
        if (lines.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    kill: async () => {
      wasKilled = true;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}

/** Results of several processes. */
export async function allResults<Result>(
  processes: readonly FrontierProcess<Result>[],
): Promise<Result[]> {
  const results = await Promise.all(processes.map((process) => process.result));
  return results.map((result) => {
    if (result === null) throw new Error('a process has no result');
    return result;
  });
}
