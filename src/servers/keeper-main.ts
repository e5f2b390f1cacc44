/** Entry of the keeper process. Its one argument is a KeeperConfig as JSON; stdout is its log. */
import { setTimeout as delay } from 'node:timers/promises';
import { connectToKeeper } from './keeper-connection.js';
import { openDataDir } from './data-dir.js';
import { takeKeeperLock } from './keeper-lock.js';
import type { KeeperConfig } from './keeper-protocol.js';
import { keepServers } from './keeper.js';

/** An earlier keeper that is stopping its servers holds the lock for some seconds. */
const LOCK_WITHIN_MS = 60_000;

function log(line: string): void {
  console.log(`${new Date().toISOString()} keeper ${process.pid}: ${line}`);
}

async function main(): Promise<void> {
  const config = JSON.parse(process.argv[2] ?? '') as KeeperConfig;
  const dataDir = openDataDir(config.dataDir);
  const stopAsked = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log(`${signal}: stopping`);
      stopAsked.abort();
    });
  }
  process.on('SIGHUP', () => undefined);

  const deadlineMs = performance.now() + LOCK_WITHIN_MS;
  for (;;) {
    const holder = takeKeeperLock(dataDir.root);
    if (holder === undefined) break;
    const other = await connectToKeeper(dataDir);
    if (other) {
      other.destroy();
      log(`${holder.pid} keeps the servers already`);
      return;
    }
    if (stopAsked.signal.aborted) return;
    if (performance.now() > deadlineMs) {
      throw new Error(
        `process ${holder.pid} holds ${dataDir.root} but does not answer; end it, then try again`,
      );
    }
    await delay(50);
  }
  log(`keeping the servers of ${dataDir.root}`);
  await keepServers(config, log, stopAsked.signal);
  log('stopped');
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  },
);
