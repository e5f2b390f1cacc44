/**
 * The suite of the frontier, written against the interface (Q2, Q3): run unchanged against every
 * back end, with equal pass counts.
 */
import { describe } from 'vitest';
import type { BackEnd } from '../drive.js';
import { endlessHostsConformance } from './endless-hosts.js';
import { fencingConformance } from './fencing.js';
import { givingUpConformance } from './giving-up.js';
import { hostsConformance } from './hosts.js';
import { limitsConformance } from './limits.js';
import { orderConformance } from './order.js';
import { seenAndLeaseConformance } from './seen-and-lease.js';
import { trapsConformance } from './traps.js';

export function frontierConformance(name: string, backEnd: BackEnd): void {
  describe(`a frontier: ${name}`, () => {
    seenAndLeaseConformance(backEnd);
    orderConformance(backEnd);
    limitsConformance(backEnd);
    fencingConformance(backEnd);
    hostsConformance(backEnd);
    givingUpConformance(backEnd);
    trapsConformance(backEnd);
    endlessHostsConformance(backEnd);
  });
}
