/** Trouble that a test puts hosts into while a crawl runs. */
import type { MsRange } from './options.js';

/** What a host does instead of answering. */
export type HostFault =
  /** Reset the connection on every request: the host is down. */
  | { readonly kind: 'reset' }
  /** Answer every request with this status; `retryAfterS` 0 for no header. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterS?: number }
  /** Take requests and leave them unanswered until the fault is lifted. */
  | { readonly kind: 'pause' };

/** Faults and latencies by host; '*' stands for all hosts without an entry of their own. */
export class Faults {
  private readonly faults = new Map<string, HostFault>();
  private readonly latencies = new Map<string, MsRange>();
  private waiting: { host: string; go: () => void }[] = [];

  of(host: string): HostFault | undefined {
    return this.faults.get(host) ?? this.faults.get('*');
  }

  /** Set or (null) lift a fault; requests that waited go on when theirs is lifted. */
  set(host: string, fault: HostFault | null): void {
    if (fault) this.faults.set(host, fault);
    else this.faults.delete(host);
    const free = this.waiting.filter((entry) => this.of(entry.host)?.kind !== 'pause');
    this.waiting = this.waiting.filter((entry) => !free.includes(entry));
    for (const entry of free) entry.go();
  }

  latencyOf(host: string, fallback: MsRange): MsRange {
    return this.latencies.get(host) ?? this.latencies.get('*') ?? fallback;
  }

  setLatency(host: string, range: MsRange | null): void {
    if (range) this.latencies.set(host, range);
    else this.latencies.delete(host);
  }

  /** Resolves when the host is no longer paused, or when the signal says that nobody waits. */
  async untilUnpaused(host: string, signal: AbortSignal): Promise<void> {
    if (this.of(host)?.kind !== 'pause' || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const entry = { host, go: resolve };
      this.waiting.push(entry);
      signal.addEventListener('abort', () => {
        this.waiting = this.waiting.filter((other) => other !== entry);
        resolve();
      });
    });
  }
}
