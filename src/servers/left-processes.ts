/** Server processes on record, so that those of a keeper that was killed are found and ended. */
import { setTimeout as delay } from 'node:timers/promises';
import { readRecord, writeRecord, type DataDir } from './data-dir.js';
import { isSameProcessAlive, signalProcess, type ProcessIdentity } from './process-identity.js';

type Processes = Record<string, ProcessIdentity>;

/** Write down that a server runs as this process. */
export function recordProcess(dataDir: DataDir, name: string, identity: ProcessIdentity): void {
  const { pid, startedAt } = identity;
  const others = readRecord<Processes>(dataDir.processesFile) ?? {};
  writeRecord(dataDir.processesFile, { ...others, [name]: { pid, startedAt } });
}

/** Their watchers have told them to end already; this is how long they get, ms. */
const PATIENCE_MS = 10_000;

/**
 * End what is left of an earlier keeper's servers and wait until it is gone: two servers on the
 * same files would destroy them.
 *
 * @returns names of the servers that were still there
 */
export async function endLeftProcesses(dataDir: DataDir): Promise<string[]> {
  const recorded = Object.entries(readRecord<Processes>(dataDir.processesFile) ?? {});
  const left = recorded.filter(([, identity]) => isSameProcessAlive(identity));
  for (const [, identity] of left) signalProcess(identity, 'SIGTERM');
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (left.some(([, identity]) => isSameProcessAlive(identity))) {
    if (performance.now() > deadlineMs) {
      for (const [, identity] of left) signalProcess(identity, 'SIGKILL');
    }
    await delay(20);
  }
  return left.map(([name]) => name);
}
