/** Kills in mid-crawl: when they come, what ran at that moment, which repeats they explain. */
import { setTimeout as delay } from 'node:timers/promises';
import { randomMoments, waitFor } from '../chaos.js';
import { byHost } from '../synthetic-web/judge.js';
import { requestIdentity } from '../synthetic-web/page-identity.js';
import { monotonicMs, type RequestRecord } from '../synthetic-web/request-log.js';
import type { SyntheticWeb } from '../synthetic-web/start.js';

/** A kill that was done. Times are those of the web's log. */
export interface Kill {
  readonly what: string;
  /** Just before the signal went out. */
  readonly fromMs: number;
  /** When it was certainly over; what was killed is not yet back. */
  readonly untilMs: number;
}

/** One kind of trouble. */
export interface Trouble {
  readonly what: string;
  /** May pages that run at that moment be asked for once more? */
  readonly mayRepeat: boolean;
  /** Break it; resolves when it is broken. */
  breakIt(): Promise<void>;
  /** Mend it, after a rest of seconds; resolves when it is mended. */
  mendIt(): Promise<void>;
}

/** When troubles come: measured in requests, so that none can come after the end of the crawl. */
export interface KillPlan {
  readonly seed: number;
  readonly troubles: readonly Trouble[];
  /** Requests from the start to the first kill and from each mending to the next kill. */
  readonly minRequests: number;
  readonly maxRequests: number;
  /** Requests that must be in flight at the moment of a kill. */
  readonly inFlight: number;
  /** How long what was killed stays away. */
  readonly minAwayMs: number;
  readonly maxAwayMs: number;
}

/** Carry out a plan while a crawl runs. @returns the kills, in order */
export async function killByPlan(web: SyntheticWeb, plan: KillPlan): Promise<Kill[]> {
  const count = plan.troubles.length;
  const { seed } = plan;
  const distances = randomMoments({
    seed,
    count,
    minMs: plan.minRequests,
    maxMs: plan.maxRequests,
  });
  const away = randomMoments({
    seed: seed + 1,
    count,
    minMs: plan.minAwayMs,
    maxMs: plan.maxAwayMs,
  });
  const kills: Kill[] = [];
  for (const [at, trouble] of plan.troubles.entries()) {
    const before = (await web.log()).length;
    const due = before + (distances[at] ?? 0);
    const what = `${trouble.what} after ${due} requests, ${plan.inFlight} in flight`;
    await waitFor(async () => isMoment(await web.log(), due, plan.inFlight), {
      what,
      timeoutMs: 90_000,
      everyMs: 10,
    });
    const fromMs = monotonicMs();
    await trouble.breakIt();
    const kill = { what: trouble.what, fromMs, untilMs: monotonicMs() };
    if (trouble.mayRepeat) kills.push(kill);
    await delay(away[at]);
    await trouble.mendIt();
  }
  return kills;
}

function isMoment(log: readonly RequestRecord[], due: number, inFlight: number): boolean {
  return log.length >= due && log.filter(({ endMs }) => endMs === null).length >= inFlight;
}

/**
 * Requests for a page that had been asked for before, where no kill explains it. A kill explains one
 * further request for a page that ran when it came: from the page's request until its host was asked
 * for the next time. Refusals (503, 429) and redirects are asked for again by design.
 *
 * @returns pairs, the earlier request first
 */
export function unexplainedRepeats(
  log: readonly RequestRecord[],
  kills: readonly Kill[],
): { before: RequestRecord; again: RequestRecord }[] {
  const unexplained: { before: RequestRecord; again: RequestRecord }[] = [];
  for (const requests of byHost(log).values()) {
    const lastAt = new Map<string, number>();
    for (const [at, again] of requests.entries()) {
      if (again.kind === 'robots' || !(again.status === 200 || again.aborted)) continue;
      const identity = requestIdentity(again);
      const beforeAt = lastAt.get(identity);
      lastAt.set(identity, at);
      if (beforeAt === undefined) continue;
      const before = requests[beforeAt]!;
      const next = requests[beforeAt + 1]!;
      const isExplained = kills.some(
        ({ fromMs, untilMs }) => untilMs >= before.startMs && fromMs <= next.startMs,
      );
      if (!isExplained) unexplained.push({ before, again });
    }
  }
  return unexplained;
}
