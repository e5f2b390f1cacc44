/** How long the frontier waits for those who act on it. */

/** After this silence of the parent, hosts park themselves. */
export const PARENT_SILENT_MS = 15 * 60_000;
/** A wait from here on gives up the host's place among the active. */
export const PLACE_WAIT_MS = 5 * 60_000;
/** A host is overdue this long after the end of what it announced. */
export const LEASE_MS = 120_000;
/** A nominated host is overdue after this. */
export const NOMINATED_MS = 60_000;

/** Times that tests shorten; defaults above. */
export interface FrontierTimes {
  readonly parentSilentMs?: number;
  readonly placeWaitMs?: number;
  readonly leaseMs?: number;
  readonly nominatedMs?: number;
}

export function resolveTimes(times: FrontierTimes): Required<FrontierTimes> {
  return {
    parentSilentMs: times.parentSilentMs ?? PARENT_SILENT_MS,
    placeWaitMs: times.placeWaitMs ?? PLACE_WAIT_MS,
    leaseMs: times.leaseMs ?? LEASE_MS,
    nominatedMs: times.nominatedMs ?? NOMINATED_MS,
  };
}
