/**
 * Run by tests as a process of its own: takes the keeper lock of the directory that is its
 * argument, proves that nobody else is inside, and dies without a word, leaving the lock stale.
 */
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { takeKeeperLock } from '../../../src/servers/keeper-lock.js';

const root = process.argv[2] ?? '';
while (takeKeeperLock(root) !== undefined) await delay(1);
const inside = join(root, 'inside');
try {
  closeSync(openSync(inside, 'wx'));
} catch {
  console.log('not alone');
  process.exit(1);
}
await delay(5);
rmSync(inside);
console.log('alone');
process.kill(process.pid, 'SIGKILL');
