/** How a host is paced, and what that makes of a turn: pure. See ADR 0001. */
import type { CrawlSettings } from '../contracts/settings.js';
import { politeDelayMs } from '../fetch/politeness.js';
import type { Pace } from './gated-fetch.js';

/** From this delay on a turn is one request, and the wait is a durable timer (C2). */
export const DURABLE_DELAY_MS = 1000;
/** Turns are not lengthened past this, however many hosts there are. */
const LONGEST_TURN_MS = 60_000;

export interface TurnPace extends Pace {
  /** Says so where the ceiling cuts the Crawl-delay that robots.txt asks for. */
  readonly delayReason: string;
  /** One request a turn, and a durable timer after it. */
  readonly isDurable: boolean;
  /** Time after which a turn of several pages ends. */
  readonly turnMaxMs: number;
}

/**
 * Pace of a host in a crawl with so many active hosts.
 *
 * @param crawlDelayMs of robots.txt; null without one or before it is known
 * @param activeHosts hosts that take turns at the same time
 */
export function turnPace(
  settings: Pick<CrawlSettings, 'delayMs' | 'delayFactor' | 'maxDelayMs' | 'turn'>,
  crawlDelayMs: number | null,
  activeHosts: number,
): TurnPace {
  const { delayMs, crawlDelayCut } = politeDelayMs({
    delayMs: settings.delayMs,
    crawlDelayMs,
    maxDelayMs: settings.maxDelayMs,
    // The gate knows how long the last request took, whoever made it.
    delayFactor: 0,
    lastFetchMs: null,
  });
  // One turn a host in this time keeps all hosts together under maxPerSecond.
  const fairShareMs = Math.min((activeHosts * 1000) / settings.turn.maxPerSecond, LONGEST_TURN_MS);
  const isDurable = delayMs >= Math.max(DURABLE_DELAY_MS, fairShareMs);
  return {
    delayMs,
    delayReason: crawlDelayCut
      ? `crawl delay (robots.txt asks for ${seconds(crawlDelayMs ?? 0)}, maxDelayMs allows ${seconds(delayMs)})`
      : 'crawl delay',
    delayFactor: settings.delayFactor,
    maxFactorMs: settings.maxDelayMs,
    patienceMs: isDurable ? 0 : delayMs + DURABLE_DELAY_MS,
    isDurable,
    turnMaxMs: Math.max(settings.turn.maxMs, fairShareMs),
  };
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
