/** Run a program to its end and keep what it said. */
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve as resolvePath } from 'node:path';

/** What a program said. */
export interface CommandResult {
  readonly isOk: boolean;
  /** stdout and stderr, trimmed. */
  readonly output: string;
  /** Last line of what it said, or why it could not run: short enough for a message. */
  readonly reason: string;
}

/**
 * Run a program without a shell; never throws.
 *
 * @param timeoutMs it is killed then
 */
export function runCommand(
  command: readonly string[],
  timeoutMs = 10_000,
  env: NodeJS.ProcessEnv = process.env,
): Promise<CommandResult> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { timeout: timeoutMs, maxBuffer: 16 * 1024 * 1024, killSignal: 'SIGKILL', env },
      (error, stdout, stderr) => {
        const output = `${stdout}\n${stderr}`.trim();
        resolve({ isOk: error === null, output, reason: reasonOf(error, output, timeoutMs) });
      },
    );
  });
}

function reasonOf(
  error: (Error & { code?: unknown; killed?: boolean }) | null,
  output: string,
  timeoutMs: number,
): string {
  if (error?.code === 'ENOENT') return 'not found';
  if (error?.killed) return `no end within ${timeoutMs / 1000} s`;
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  // pip's last line may be a notice about itself; its errors say so.
  const line = lines.findLast((text) => /^error/i.test(text)) ?? lines.at(-1);
  return line?.trim() ?? error?.message ?? 'it said nothing';
}

/** The first file of this name on PATH that may be executed. */
export function findOnPath(name: string, path = process.env['PATH'] ?? ''): string | undefined {
  for (const dir of path.split(delimiter)) {
    if (dir === '') continue;
    const file = join(dir, name);
    if (isExecutableFile(file)) return file;
  }
  return undefined;
}

/** What a user named, absolute: servers run in directories of their own. */
export function executablePath(named: string, path = process.env['PATH'] ?? ''): string {
  return named.includes('/') ? resolvePath(named) : (findOnPath(named, path) ?? named);
}

/** Is it a file that may be executed? */
export function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
