/** Reaching the keeper of a data directory, and starting one. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readRecord, type DataDir, type KeeperAddress } from './data-dir.js';
import type { KeeperConfig } from './keeper-protocol.js';
import { openLog } from './log-file.js';
import { isSameProcessAlive } from './process-identity.js';

/**
 * Connect to the keeper that runs.
 *
 * @returns undefined when none runs or it takes no clients any more
 */
export function connectToKeeper(dataDir: DataDir): Promise<Socket | undefined> {
  const address = readRecord<KeeperAddress>(dataDir.keeperFile);
  if (!address || !isSameProcessAlive(address)) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const socket = connect(address.socketPath);
    socket.once('connect', () => resolve(socket));
    socket.on('error', () => resolve(undefined));
  });
}

/** Log of all keepers of a data directory. */
export function keeperLogFile(dataDir: DataDir): string {
  return join(dataDir.logsDir, 'keeper.log');
}

/**
 * Start a keeper in a session of its own, so that neither Ctrl-C nor the end of the caller's
 * process group reaches it. It ends by itself when another keeper is there.
 */
export function spawnKeeper(dataDir: DataDir, config: KeeperConfig): ChildProcess {
  const log = openLog(keeperLogFile(dataDir));
  try {
    const child = spawn(process.execPath, [...keeperArguments(), JSON.stringify(config)], {
      cwd: dataDir.root,
      detached: true,
      stdio: ['ignore', log, log],
      env: keeperEnvironment(),
    });
    child.on('error', () => undefined);
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/** The built engine runs JavaScript; from its sources the same file is TypeScript, run by tsx. */
function keeperArguments(): string[] {
  const isSource = import.meta.url.endsWith('.ts');
  const main = fileURLToPath(
    new URL(isSource ? './keeper-main.ts' : './keeper-main.js', import.meta.url),
  );
  if (!isSource) return [main];
  const loader = createRequire(import.meta.url).resolve('tsx');
  return ['--import', pathToFileURL(loader).href, main];
}

/** NODE_OPTIONS (an inspector's port, a test runner's loader) is the caller's, not the keeper's. */
function keeperEnvironment(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  delete env['NODE_OPTIONS'];
  return env;
}
