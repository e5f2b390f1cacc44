/** Does a redis-server run here, and does it know BF.*? Asked of a scratch server, not of its version. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { askRedis } from './redis-ask.js';
import type { RedisExecutable } from './redis-server.js';
import { runCommand } from './run-command.js';
import { startWatchedProcess } from './watched-process.js';

const READY_WITHIN_MS = 10_000;

/**
 * Start a scratch Redis on a unix socket, reserve a Bloom filter, end it.
 *
 * @returns undefined when all of it works, else why not in one line
 */
export async function probeRedis(executable: RedisExecutable): Promise<string | undefined> {
  const version = await runCommand([executable.path, '--version']);
  if (!version.isOk) return `${executable.path} does not run: ${version.reason}`;
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-probe-'));
  try {
    return await reserveOnScratch(executable, dir);
  } catch (error) {
    return (error as Error).message;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function reserveOnScratch(
  executable: RedisExecutable,
  dir: string,
): Promise<string | undefined> {
  const path = join(dir, 's');
  const scratch = await startWatchedProcess({
    executable: executable.path,
    args: [
      ...['--port', '0', '--unixsocket', path, '--dir', dir, '--save', '', '--appendonly', 'no'],
      ...executable.modules.flatMap((module) => ['--loadmodule', module]),
    ],
    cwd: dir,
    logFile: join(dir, 'log'),
  });
  try {
    const deadlineMs = performance.now() + READY_WITHIN_MS;
    while (scratch.isRunning() && performance.now() < deadlineMs) {
      const pong = await askRedis({ path }, ['PING']).catch(() => '');
      if (pong === '+PONG') {
        const reply = await askRedis({ path }, ['BF.RESERVE', 'probe', '0.000001', '1000']);
        return reply === '+OK'
          ? undefined
          : `${executable.path} has no Bloom filter: BF.RESERVE answers "${reply}"`;
      }
      await delay(10);
    }
    const modules = executable.modules.length > 0 ? ` with ${executable.modules.join(', ')}` : '';
    return `${executable.path}${modules} does not start`;
  } finally {
    await scratch.kill('SIGKILL');
  }
}
