/**
 * At most one keeper per data directory, with no window in which a stale lock is taken twice.
 *
 * Lock files are numbered and the highest number is the lock. A file appears with its content in
 * one step (link); who finds the holder of n dead tries to make n+1, which only one can. The
 * highest file is never deleted, not even by its holder, so nobody can make a lower one count.
 */
import { linkSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecord } from './data-dir.js';
import { identifyProcess, isSameProcessAlive, type ProcessIdentity } from './process-identity.js';

const LOCK_NAME = /^keeper-(\d+)\.lock$/;

/**
 * Take the lock of a data directory for this process; it is held until the process ends.
 *
 * @returns undefined when taken, else the living holder
 */
export function takeKeeperLock(root: string): ProcessIdentity | undefined {
  const self = identifyProcess(process.pid);
  if (self === undefined) throw new Error('this process has no identity: is /proc or ps missing?');
  const draft = join(root, `.keeper-${process.pid}.draft`);
  writeFileSync(draft, JSON.stringify(self));
  try {
    for (;;) {
      const highest = Math.max(0, ...lockNumbers(root));
      const holder = readRecord<ProcessIdentity>(lockFile(root, highest));
      if (holder && holder.startedAt === self.startedAt && holder.pid === self.pid) {
        return undefined;
      }
      if (holder && isSameProcessAlive(holder)) return holder;
      const mine = highest + 1;
      try {
        linkSync(draft, lockFile(root, mine));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
        throw error;
      }
      const numbers = lockNumbers(root);
      if (Math.max(...numbers) > mine) {
        // We looked long ago: others have come and gone meanwhile. Ours does not count.
        rmSync(lockFile(root, mine), { force: true });
        continue;
      }
      for (const number of numbers) {
        if (number < mine) rmSync(lockFile(root, number), { force: true });
      }
      return undefined;
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function lockFile(root: string, number: number): string {
  return join(root, `keeper-${number}.lock`);
}

function lockNumbers(root: string): number[] {
  return readdirSync(root)
    .map((name) => LOCK_NAME.exec(name)?.[1])
    .filter((number) => number !== undefined)
    .map(Number);
}
