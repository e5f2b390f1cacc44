/** Somebody who asks a gate again and again, and writes down when it was granted and released. */
import { setTimeout as delay } from 'node:timers/promises';
import { RedisGate } from '../../../src/frontier/gate.js';
import type { Redis } from '../../../src/redis/connection.js';

/** One asker: requests to one host, one after another, as a crawl makes them. */
export interface GateInput {
  readonly role: 'gate';
  readonly redisUrl: string;
  readonly hostKey: string;
  readonly crawlId: string;
  readonly delayMs: number;
  /** How long a request takes. */
  readonly requestMs: number;
  readonly requests: number;
  /** Stop, however many were made, when this Redis key is there. */
  readonly until?: string;
  readonly holdMs?: number;
}

/** One request, in ms of the machine's clock (one for all processes). */
export interface GateRequest {
  readonly crawlId: string;
  readonly delayMs: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** Machine-wide, monotonic, in ms. */
export const clockMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Make the requests. Times are taken after the grant and before the release, as a server sees them. */
export async function askGates(redis: Redis, input: GateInput): Promise<GateRequest[]> {
  const gate = new RedisGate(redis, input.holdMs === undefined ? {} : { holdMs: input.holdMs });
  const { hostKey, crawlId, delayMs } = input;
  const asker = {
    ...{ hostKey, crawlId, delayMs, delayFactor: 0, maxFactorMs: 60_000 },
    holder: `${crawlId}-${process.pid}`,
  };
  const made: GateRequest[] = [];
  while (made.length < input.requests) {
    if (input.until !== undefined && (await redis.exists(input.until)) === 1) break;
    const reply = await gate.ask(asker);
    if (reply.status === 'wait') {
      await delay(reply.waitMs);
      continue;
    }
    const startMs = clockMs();
    process.stdout.write('request\n');
    await delay(input.requestMs);
    const endMs = clockMs();
    await gate.release(asker, { durationMs: endMs - startMs });
    made.push({ crawlId, delayMs, startMs, endMs });
  }
  return made;
}
