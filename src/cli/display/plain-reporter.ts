/** Plain lines for pipes and logs: one every few seconds while something moves, and events. */
import type { HostStatus } from '../../contracts/frontier.js';
import { commandLine } from '../context.js';
import { counted, formatBytes, formatCount, formatElapsed } from './format.js';
import { stateText, type FrameFacts } from './frame.js';
import { whyNotYet } from './host-lines.js';
import { queuedCount, storedCount } from '../../contracts/totals.js';
import { RateMeter, type Snapshot } from './snapshot.js';

const LINE_EVERY_MS = 5000;
/** A crawl that only waits is still said to be alive. */
const SILENT_AT_MOST_MS = 60_000;
/** Waits from here on are events. */
const LONG_WAIT_MS = 30_000;
/** A crawl of many sick hosts must not flood its log. */
const MAX_HOST_EVENTS = 100;

export class PlainReporter {
  private readonly write: (line: string) => void;
  private readonly facts: Pick<FrameFacts, 'startedAtMs'>;
  private readonly meter = new RateMeter();
  private readonly told = new Map<string, string>();
  private state: string | null = null;
  private lastLine = '';
  private lastAtMs = -Infinity;
  private hostEvents = 0;

  constructor(write: (line: string) => void, facts: Pick<FrameFacts, 'startedAtMs'>) {
    this.write = write;
    this.facts = facts;
  }

  update(snapshot: Snapshot): void {
    const { status, hosts, atMs } = snapshot;
    const rates = this.meter.add(snapshot);
    const state = stateText(status);
    if (state !== this.state) {
      if (this.state !== null) this.write(`crawl is ${state}`);
      this.state = state;
    }
    for (const host of hosts) this.hostEvent(host, atMs);
    if (atMs - this.lastAtMs < LINE_EVERY_MS) return;
    const { totals } = status;
    const counts = [
      `${formatCount(storedCount(totals))} fetched`,
      `${formatCount(totals.redirected)} redirected`,
      `${formatCount(totals.skipped)} skipped`,
      `${formatCount(totals.failed)} failed`,
      `${formatCount(queuedCount(totals))} queued`,
      counted(totals.hosts, 'host'),
    ].join(', ');
    if (counts === this.lastLine && atMs - this.lastAtMs < SILENT_AT_MOST_MS) return;
    const speed = `${rates.pagesPerSecond.toFixed(1)} pages/s, ${formatBytes(rates.bytesPerSecond)}/s`;
    this.write(`[${formatElapsed(atMs - this.facts.startedAtMs)}] ${counts}; ${speed}`);
    this.lastLine = counts;
    this.lastAtMs = atMs;
  }

  say(line: string): void {
    this.write(line);
  }

  note(text: string | null): void {
    if (text !== null) this.write(text);
  }

  close(): void {
    // Nothing is held back.
  }

  private hostEvent(host: HostStatus, nowMs: number): void {
    const isLongWait =
      host.state === 'waiting' && host.nextAtMs !== null && host.nextAtMs - nowMs >= LONG_WAIT_MS;
    if (!isLongWait && host.state !== 'blocked') {
      this.told.delete(host.hostKey);
      return;
    }
    const what = `${host.state} ${host.reason ?? ''}`;
    if (this.told.get(host.hostKey) === what) return;
    this.told.set(host.hostKey, what);
    this.hostEvents += 1;
    if (this.hostEvents > MAX_HOST_EVENTS) return;
    this.write(`${host.hostKey}: ${whyNotYet(host, nowMs)}`);
    if (this.hostEvents === MAX_HOST_EVENTS) {
      this.write(
        `further hosts in trouble are not listed here; ${commandLine(['hosts'])} shows all`,
      );
    }
  }
}
