/**
 * A redirect that leads back to the leased page itself (`/docs` to `/docs/`) is followed within the
 * turn. Its target is another request all the same: what forbids that request forbids the page.
 */
import type { CookieJar } from '../../fetch/cookies.js';
import { fingerprintOf } from '../../url/canonical-url.js';
import { hostKey } from '../../url/host-key.js';
import type { Pace } from '../gated-fetch.js';
import { knownRobots, robotsStep } from './robots-step.js';
import { recordOf, type StepEnd, type TurnScope } from './turn-scope.js';

/** Does a redirect lead back to the leased page itself? */
export function isLeasedPage({ item, context }: TurnScope, target: string): boolean {
  const { canonical } = context.settings;
  return fingerprintOf(target, canonical) === fingerprintOf(item.url, canonical);
}

/**
 * Is the leased page a cookie wall? What redirected here is seen and done with; now there is a cookie
 * for it, and what it shows to those who bring it would be lost.
 *
 * @param target where the wall redirects to
 * @param jar cookies of the chain, those of the wall's own answer included
 */
export function isCookieWall(scope: TurnScope, target: string, jar: CookieJar): boolean {
  const { url, hops, via } = scope.item;
  const { canonical } = scope.context.settings;
  const leadsBack =
    hops.endsWith('R') &&
    via !== '' &&
    fingerprintOf(via, canonical) === fingerprintOf(target, canonical);
  return leadsBack && hostKey(target) === hostKey(url) && jar.headerFor(target) !== null;
}

/**
 * @param target the leased page under another spelling, or the page behind a cookie wall
 * @returns null where it may be followed, else how the step ends; without a completion the URL stays
 *   leased and is asked for anew, with the robots rules of the target's origin known
 */
export async function refuseWayBack(
  scope: TurnScope,
  target: string,
  pace: Pace,
): Promise<StepEnd | null> {
  const { item, context } = scope;
  const skipped = (reason: 'outOfScope' | 'robotsTxt'): StepEnd => ({
    requests: 0,
    delayMs: pace.delayMs,
    hostOutcome: 'ok',
    completion: { url: item.url, outcome: 'skipped', reason },
    record: recordOf(scope, { outcome: 'skipped', reason, finalUrl: target }),
  });
  // As for a seed: the page was admitted under its first spelling, but what is excluded stays out.
  if (!context.scope.checkSeed(target).inScope) return skipped('outOfScope');
  const robots = await knownRobots(scope, target);
  if (robots === null) return robotsStep(scope, pace, target);
  const verdict = robots.rules?.isAllowed(target, context.settings.robotsAgent);
  return verdict?.allowed === false ? skipped('robotsTxt') : null;
}
