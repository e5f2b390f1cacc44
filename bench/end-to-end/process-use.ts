/** What a process has used, as Linux counts it. */
import { readFileSync } from 'node:fs';

/** A reading of one process. */
export interface ProcessUse {
  /** User and system time since its start, seconds; counted in steps of 10 ms. */
  readonly cpuSeconds: number;
  /** Resident memory now and at its peak, MiB. */
  readonly rssMiB: number;
  readonly peakRssMiB: number;
}

/** Linux counts in ticks of 10 ms (USER_HZ) on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Read what a process has used so far. */
export function readProcessUse(pid: number): ProcessUse {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command's name, in parentheses, may hold anything; the fields start after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN);
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    rssMiB: kib('VmRSS') / 1024,
    peakRssMiB: kib('VmHWM') / 1024,
  };
}
