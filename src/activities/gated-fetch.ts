/**
 * One request through the gate: ask, fetch while holding on, release. No request of any kind goes
 * another way.
 */
import type { GateAsker } from '../contracts/gate.js';
import { FetchError } from '../errors.js';
import type { FetchRequest, FetchResponse } from '../fetch/fetch-types.js';
import { parseRetryAfter } from '../fetch/politeness.js';
import { firstHeader } from '../fetch/response-head.js';
import { hostKey } from '../url/host-key.js';
import type { ActivityDeps } from './deps.js';
import { pause } from './pause.js';

/** Retry-After is obeyed up to this. */
export const RETRY_AFTER_CAP_MS = 24 * 60 * 60 * 1000;
/** Waits for another holder or another crawl's turn that are spent within the turn. */
const CONTENTION_PATIENCE_MS = 5000;
/** What a clock's rounding may leave of a wait that the workflow has already made. */
const ROUNDING_MS = 300;

/** How a request is paced. */
export interface Pace {
  readonly delayMs: number;
  readonly delayFactor: number;
  readonly maxFactorMs: number;
  /** Longest delay that is waited out within the turn. */
  readonly patienceMs: number;
  /** What a wait for the delay is called; default "crawl delay". */
  readonly delayReason?: string;
}

export type GatedResult =
  | {
      readonly kind: 'response';
      readonly response: FetchResponse;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'wait'; readonly waitMs: number; readonly reason: string };

const WAIT_REASONS = {
  delay: 'crawl delay',
  held: 'another request to this host is under way',
  yield: "another crawl's turn at this host",
  notBefore: 'the host asked to be left alone',
  restarted: 'Redis has restarted: one delay more',
} as const;

export class GatedFetcher {
  private readonly deps: Pick<ActivityDeps, 'gate' | 'fetcher'>;
  private readonly crawlId: string;
  private readonly holder: string;
  private readonly signal: AbortSignal;

  constructor(
    deps: Pick<ActivityDeps, 'gate' | 'fetcher'>,
    who: { readonly crawlId: string; readonly holder: string; readonly signal: AbortSignal },
  ) {
    this.deps = deps;
    this.crawlId = who.crawlId;
    this.holder = who.holder;
    this.signal = who.signal;
  }

  /**
   * @throws FetchError as the fetcher does; FETCH_GATE_LOST when the hold could not be kept
   */
  async fetch(request: Omit<FetchRequest, 'signal'>, pace: Pace): Promise<GatedResult> {
    const asker: GateAsker = {
      hostKey: hostKey(request.url),
      crawlId: this.crawlId,
      holder: this.holder,
      delayMs: pace.delayMs,
      delayFactor: pace.delayFactor,
      maxFactorMs: pace.maxFactorMs,
    };
    const grant = await this.askUntilGranted(asker, pace, pace.patienceMs);
    if (grant.kind === 'wait') return grant;

    const hold = new GateHold(this.deps.gate, asker, grant.heldUntilMono, this.signal);
    const startedAt = performance.now();
    let notBeforeMs: number | null = null;
    try {
      const response = await this.deps.fetcher.fetch({
        ...request,
        signal: hold.signal,
        // The repeat is a request of its own: it waits its turn like any other.
        beforeRepeat: async () => {
          await hold.end(performance.now() - startedAt);
          const again = await this.askUntilGranted(
            asker,
            pace,
            Math.max(pace.patienceMs, pace.delayMs + ROUNDING_MS),
          );
          if (again.kind === 'wait') throw gateLost(request.url);
          hold.start(again.heldUntilMono);
        },
      });
      notBeforeMs = retryAfterOf(response);
      return { kind: 'response', response, retryAfterMs: notBeforeMs };
    } finally {
      await hold.end(performance.now() - startedAt, notBeforeMs ?? undefined);
    }
  }

  private async askUntilGranted(
    asker: GateAsker,
    { delayReason }: Pace,
    patienceMs: number,
  ): Promise<
    { kind: 'granted'; heldUntilMono: number } | { kind: 'wait'; waitMs: number; reason: string }
  > {
    const askedAt = performance.now();
    for (;;) {
      const reply = await this.deps.gate.ask(asker);
      if (reply.status === 'granted') {
        // A grant that was long on its way may be over already.
        if (reply.heldUntilMono > performance.now())
          return { kind: 'granted', heldUntilMono: reply.heldUntilMono };
        await this.deps.gate.release(asker, { durationMs: 0 });
        continue;
      }
      const isContention = reply.reason === 'held' || reply.reason === 'yield';
      const patience = isContention
        ? Math.max(patienceMs, CONTENTION_PATIENCE_MS)
        : Math.max(patienceMs, ROUNDING_MS);
      const spentMs = performance.now() - askedAt;
      if (spentMs + reply.waitMs > patience) {
        const waitMs = isContention ? Math.max(reply.waitMs, asker.delayMs, 1000) : reply.waitMs;
        const isDelay = reply.reason === 'delay' && delayReason !== undefined;
        return { kind: 'wait', waitMs, reason: isDelay ? delayReason : WAIT_REASONS[reply.reason] };
      }
      await pause(reply.waitMs, this.signal);
    }
  }
}

/** A hold on a gate: renewed while it lasts, an abort of the request when it can't be. */
class GateHold {
  readonly signal: AbortSignal;
  private readonly gate: ActivityDeps['gate'];
  private readonly asker: GateAsker;
  private readonly lost = new AbortController();
  private deadline: NodeJS.Timeout | undefined;
  private renewal: NodeJS.Timeout | undefined;
  private isHeld = false;

  constructor(
    gate: ActivityDeps['gate'],
    asker: GateAsker,
    heldUntilMono: number,
    outer: AbortSignal,
  ) {
    this.gate = gate;
    this.asker = asker;
    this.signal = AbortSignal.any([outer, this.lost.signal]);
    this.start(heldUntilMono);
  }

  start(heldUntilMono: number): void {
    this.isHeld = true;
    this.extend(heldUntilMono);
  }

  async end(durationMs: number, notBeforeMs?: number): Promise<void> {
    if (!this.isHeld) return;
    this.isHeld = false;
    clearTimeout(this.deadline);
    clearTimeout(this.renewal);
    await this.gate.release(this.asker, {
      durationMs,
      ...(notBeforeMs !== undefined && { notBeforeMs }),
    });
  }

  private extend(heldUntilMono: number): void {
    const leftMs = heldUntilMono - performance.now();
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => this.lost.abort(gateLost(this.asker.hostKey)), leftMs);
    this.renewal = setTimeout(() => void this.renew(), leftMs / 3);
  }

  private async renew(): Promise<void> {
    // Redis away: the deadline stands, and ends the request before the hold does.
    const heldUntilMono = await this.gate.renew(this.asker).catch(() => undefined);
    if (!this.isHeld || heldUntilMono === undefined) return;
    if (heldUntilMono === null) this.lost.abort(gateLost(this.asker.hostKey));
    else this.extend(heldUntilMono);
  }
}

function gateLost(what: string): FetchError {
  return new FetchError('FETCH_GATE_LOST', `the gate could not be held until the end: ${what}`, {
    retryable: true,
  });
}

function retryAfterOf(response: FetchResponse): number | null {
  if (response.status !== 429 && response.status !== 503) return null;
  const value = firstHeader(response.headers, 'retry-after');
  return value === null ? null : parseRetryAfter(value, Date.now(), RETRY_AFTER_CAP_MS);
}
