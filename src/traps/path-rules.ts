/** Paths that repeat themselves, and paths without end. Pure, linear. */
import type { UrlParts, Verdict } from './url-parts.js';

/** Segments that were there already: from so many on. `/any/any/any` has two. */
const REPEATS_LATER = 3;
const REPEATS_HOLD = 8;
/** Likewise with their numbers taken for one: `/p1/p2/p3` has two. Real hierarchies count levels. */
const NUMBERED_LATER = 5;
const NUMBERED_HOLD = 12;

/** Segments of a path: file trees on the web rarely have fifteen. */
const DEEP_LATER = 21;
const DEEP_HOLD = 50;

/**
 * The same segments over and over, in a row or mixed (`/a/b/a/c/b/a`): what relative links lead to
 * where a site takes any path. Numbers by themselves (`/2024/05/05`) and single characters
 * (`/d/e/d/e`, shards of a hash) repeat in real paths.
 */
export function repeatedPath({ segments }: UrlParts): Verdict {
  if (segments.length <= REPEATS_LATER) return null;
  const seen = new Set<string>();
  const seenNumbered = new Set<string>();
  let repeats = 0;
  let numbered = 0;
  for (const segment of segments) {
    if (segment.length < 2) continue;
    const pattern = segment.replace(/\d+/g, '#');
    if (!/[^#_.-]/.test(pattern)) continue;
    if (seen.has(segment)) repeats += 1;
    if (seenNumbered.has(pattern)) numbered += 1;
    seen.add(segment);
    seenNumbered.add(pattern);
  }
  if (repeats >= REPEATS_HOLD || numbered >= NUMBERED_HOLD) return 'hold';
  return repeats >= REPEATS_LATER || numbered >= NUMBERED_LATER ? 'later' : null;
}

/** More folders than people make. */
export function deepPath({ segments }: UrlParts): Verdict {
  if (segments.length >= DEEP_HOLD) return 'hold';
  return segments.length >= DEEP_LATER ? 'later' : null;
}
