/**
 * The gate: politeness (F2). Asked immediately before every request of every kind; one clock for a
 * host across all workers and all crawls of one Redis.
 */
import type { Gate, GateAsker, GateReply } from '../contracts/gate.js';
import type { Redis } from '../redis/connection.js';
import { runScript } from '../redis/script.js';
import { BORN_KEY, gateKey } from './keys.js';
import { SCRIPTS } from './scripts.js';

/** How long a grant lasts unless renewed: what a vanished holder costs its host. */
export const GATE_HOLD_MS = 5000;
/** Part of a hold that is never used, so that a request ends before its hold does. */
const HOLD_MARGIN_MS = 500;
/** A gate is forgotten when no asker's delay (at most a day, config/schema.ts) can need it. */
const GATE_KEPT_MS = 25 * 60 * 60 * 1000;

export interface GateOptions {
  /** Default 5 s. */
  readonly holdMs?: number;
}

/** Gates kept in Redis. */
export class RedisGate implements Gate {
  private readonly redis: Redis;
  private readonly holdMs: number;
  private bornUnder: Promise<string> | undefined;

  constructor(redis: Redis, options: GateOptions = {}) {
    this.redis = redis;
    this.holdMs = options.holdMs ?? GATE_HOLD_MS;
  }

  async ask(asker: GateAsker): Promise<GateReply> {
    // A failed reading must not stick.
    const born = await (this.bornUnder ??= this.readBorn().catch((error: unknown) => {
      this.bornUnder = undefined;
      throw error;
    }));
    const sentAtMono = performance.now();
    const reply = (await runScript(
      this.redis,
      SCRIPTS.gateAsk,
      [gateKey(asker.hostKey)],
      [
        asker.crawlId,
        asker.holder,
        Math.ceil(asker.delayMs),
        asker.delayFactor,
        asker.maxFactorMs,
        this.holdMs,
        born,
        GATE_KEPT_MS,
      ],
    )) as [string, number, string];
    if (reply[0] === 'granted') {
      return { status: 'granted', heldUntilMono: sentAtMono + this.holdMs - HOLD_MARGIN_MS };
    }
    return {
      status: 'wait',
      waitMs: Math.max(1, reply[1]),
      reason: reply[2] as 'delay',
    };
  }

  async renew(asker: Pick<GateAsker, 'hostKey' | 'holder' | 'crawlId'>): Promise<number | null> {
    const sentAtMono = performance.now();
    const reply = await runScript(
      this.redis,
      SCRIPTS.gateRenew,
      [gateKey(asker.hostKey)],
      [asker.holder, this.holdMs, GATE_KEPT_MS],
    );
    return reply === 'ok' ? sentAtMono + this.holdMs - HOLD_MARGIN_MS : null;
  }

  async release(
    asker: Pick<GateAsker, 'hostKey' | 'holder' | 'crawlId'>,
    end: { readonly durationMs: number; readonly notBeforeMs?: number },
  ): Promise<void> {
    await runScript(
      this.redis,
      SCRIPTS.gateRelease,
      [gateKey(asker.hostKey)],
      [asker.holder, Math.ceil(end.durationMs), Math.ceil(end.notBeforeMs ?? 0), GATE_KEPT_MS],
    );
  }

  /** The run id under which the data set was born: gates of that process are never forgotten. */
  private async readBorn(): Promise<string> {
    const info = await this.redis.info('server');
    const run = /run_id:([0-9a-f]+)/.exec(info)?.[1] ?? '';
    await this.redis.setnx(BORN_KEY, run);
    return (await this.redis.get(BORN_KEY)) ?? '';
  }
}
