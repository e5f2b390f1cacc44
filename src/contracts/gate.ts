/**
 * The gate of a host: one clock for all requests of all workers and all crawls of one Redis. It
 * stores facts (when the last request ended, who holds it); every asker applies its own delay.
 */

/** Who asks. */
export interface GateAsker {
  readonly hostKey: string;
  /** Crawls take turns at a host that both want. */
  readonly crawlId: string;
  /** Unique per attempt of an activity. */
  readonly holder: string;
  /** From the end of the last request to the next, at least. */
  readonly delayMs: number;
  /** Delay as a multiple of the last request's duration; capped by `maxFactorMs`. */
  readonly delayFactor: number;
  readonly maxFactorMs: number;
}

export type GateReply =
  | {
      readonly status: 'granted';
      /** Local monotonic time (performance.now()) before which the request must have ended. */
      readonly heldUntilMono: number;
    }
  | {
      readonly status: 'wait';
      /** Ask again after this. */
      readonly waitMs: number;
      readonly reason: 'delay' | 'held' | 'yield' | 'notBefore' | 'restarted';
    };

/** Politeness, asked immediately before every request of every kind. */
export interface Gate {
  ask(asker: GateAsker): Promise<GateReply>;
  /** Hold on longer. @returns the new local deadline, or null when the gate was lost */
  renew(asker: Pick<GateAsker, 'hostKey' | 'holder' | 'crawlId'>): Promise<number | null>;
  /** The request has ended. `notBeforeMs`: the host itself asked not to be touched for so long. */
  release(
    asker: Pick<GateAsker, 'hostKey' | 'holder' | 'crawlId'>,
    end: { readonly durationMs: number; readonly notBeforeMs?: number },
  ): Promise<void>;
}
