/** Priority level of a queued URL. */

import type { PriorityBoost } from '../contracts/settings.js';
import { compilePattern, type UrlPattern } from './url-pattern.js';

/** Levels that one hop from a seed costs: a boost of 4 lifts a URL over one hop. */
export const LEVELS_PER_HOP = 4;
/** The last level; URLs deeper than 63 hops share it, and queue by age. */
export const MAX_LEVEL = 255;

interface CompiledBoost {
  readonly pattern: UrlPattern;
  readonly boost: number;
}

/** Settings objects are read-only and shared by all URLs of a page: compile each list once. */
const compiled = new WeakMap<readonly PriorityBoost[], readonly CompiledBoost[]>();

/**
 * Level of a URL: `4 × depth − sum of the boosts that match`, within 0 to 255; smaller is sooner.
 * Depth comes first in the order, so that a crawl is breadth-first unless boosts say otherwise.
 *
 * @param depth navigation hops from a seed
 * @throws CONFIG_INVALID_OPTION for a pattern that is no pattern
 */
export function priorityLevel(
  depth: number,
  url: string,
  boosts: readonly PriorityBoost[],
): number {
  let level = depth * LEVELS_PER_HOP;
  for (const { pattern, boost } of compileBoosts(boosts)) {
    if (pattern.test(url)) level -= boost;
  }
  return Math.min(MAX_LEVEL, Math.max(0, Math.round(level)));
}

function compileBoosts(boosts: readonly PriorityBoost[]): readonly CompiledBoost[] {
  let list = compiled.get(boosts);
  if (!list) {
    list = boosts.map(({ pattern, boost }) => ({
      pattern: compilePattern(pattern, 'priorities'),
      boost,
    }));
    compiled.set(boosts, list);
  }
  return list;
}
