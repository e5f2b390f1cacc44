/**
 * The time limits of one exchange: one for the phase it is in, one for the whole. undici's own timers
 * are off: two clocks for one limit would disagree.
 */
import type { FetchErrorCode } from '../errors.js';
import { fetchError } from './failure-policy.js';

/** Above this, setTimeout fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Which setting limits, and what exceeding it is called. */
export interface Limit {
  readonly option:
    'connectTimeoutMs' | 'headersTimeoutMs' | 'bodyTimeoutMs' | 'totalTimeoutMs' | 'drain';
  readonly limitMs: number;
  /** Asked when the limit is reached. */
  readonly code: () => FetchErrorCode;
}

/** Timers of one exchange; `clear` ends them all. */
export class Deadlines {
  readonly #url: string;
  readonly #onExpired: (error: Error) => void;
  #phase: NodeJS.Timeout | undefined;
  #total: NodeJS.Timeout | undefined;

  constructor(url: string, onExpired: (error: Error) => void) {
    this.#url = url;
    this.#onExpired = onExpired;
  }

  /** Replaces the phase's limit. */
  phase(limit: Limit): void {
    clearTimeout(this.#phase);
    this.#phase = this.#start(limit);
  }

  /** Something arrived: the phase's limit counts from now. */
  refreshPhase(): void {
    this.#phase?.refresh();
  }

  /** Nothing more is waited for; what is at work still has the limit of the whole. */
  endPhase(): void {
    clearTimeout(this.#phase);
  }

  /** Replaces the limit of the whole. */
  total(limitMs: number): void {
    clearTimeout(this.#total);
    this.#total = this.#start({
      option: 'totalTimeoutMs',
      limitMs,
      code: () => 'FETCH_TOTAL_TIMEOUT',
    });
  }

  clear(): void {
    clearTimeout(this.#phase);
    clearTimeout(this.#total);
  }

  #start({ option, limitMs, code }: Limit): NodeJS.Timeout {
    const expire = (): void => {
      const message = `Not done within ${option}, ${limitMs} ms (${this.#url})`;
      const details = { url: this.#url, option, limitMs };
      this.#onExpired(fetchError(code(), message, { details }));
    };
    return setTimeout(expire, Math.min(limitMs, MAX_TIMER_MS));
  }
}
