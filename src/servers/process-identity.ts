/**
 * Which process a recorded pid meant: pids are reused, so a pid counts only with its start time.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process as it can be written to a file and recognised later, also after a reboot. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in the system's own terms; compared for equality only. */
  readonly startedAt: string;
}

/**
 * Identity of a living process.
 *
 * @returns undefined when no such process lives; a zombie counts as dead
 */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? linuxStartedAt(pid) : psStartedAt(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Does the very process that was recorded still live? */
export function isSameProcessAlive(recorded: ProcessIdentity): boolean {
  return identifyProcess(recorded.pid)?.startedAt === recorded.startedAt;
}

/**
 * Send a signal to exactly the recorded process.
 *
 * @returns false when it is gone already
 */
export function signalProcess(recorded: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isSameProcessAlive(recorded)) return false;
  try {
    process.kill(recorded.pid, signal);
    return true;
  } catch {
    return false;
  }
}

function linuxStartedAt(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may hold spaces and parentheses, so fields count from the last one:
  // state is the first after it, start time in clock ticks since boot the 20th (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const ticks = fields[19];
  return ticks === undefined ? undefined : `${bootId()}:${ticks}`;
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function psStartedAt(pid: number): string | undefined {
  try {
    const row = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    if (row === '' || row.startsWith('Z')) return undefined;
    return row.slice(row.indexOf(' ') + 1).trim();
  } catch {
    return undefined;
  }
}
