/**
 * Crawl traps by the shape of an address. Suspicion, no verdict on a page: what is suspicious comes
 * after everything else, and only the extreme is held back (docs/traps.md, ADR 0012). Pure; linear
 * in the lengths of both URLs.
 */
import type { Suspicion, TrapRule } from '../contracts/urls.js';
import { calendar } from './calendar.js';
import { deepPath, repeatedPath } from './path-rules.js';
import { growingQuery, nestedUrl, repeatedParameter } from './query-rules.js';
import { sessionId } from './session-ids.js';
import { urlParts, type UrlParts, type Verdict } from './url-parts.js';

/** A longer URL is suspicious, in characters. */
export const LONG_URL_CHARS = 1000;
/** Levels that a suspicious URL comes later; as in lua/lib/item.lua. */
export const LATER_LEVELS = 128;

type Rule = (link: UrlParts, page: UrlParts, nowMs: number) => Verdict;

const RULES: readonly (readonly [TrapRule, Rule])[] = [
  ['repeatedPath', repeatedPath],
  ['deepPath', deepPath],
  ['repeatedParameter', repeatedParameter],
  ['growingQuery', growingQuery],
  ['nestedUrl', nestedUrl],
  ['calendar', calendar],
  ['sessionId', sessionId],
  ['longUrl', ({ url }) => (url.length > LONG_URL_CHARS ? 'later' : null)],
];

/**
 * Why a URL looks like a trap, by the first rule that holds it back, else the first that suspects it.
 * Total.
 *
 * @param foundOn the page that links to it
 * @param nowMs default the present
 */
export function suspectUrl(url: string, foundOn: string, nowMs = Date.now()): Suspicion | null {
  const link = urlParts(url);
  const page = pageParts(foundOn);
  let later: Suspicion | null = null;
  for (const [rule, judge] of RULES) {
    const verdict = judge(link, page, nowMs);
    if (verdict === 'hold') return { rule, weight: verdict };
    if (verdict === 'later') later ??= { rule, weight: verdict };
  }
  return later;
}

/** Level of a suspicious URL: behind all those that are not, in their order; 255 is the last. */
export function laterLevel(level: number): number {
  return level < LATER_LEVELS ? level + LATER_LEVELS : level;
}

/** All links of a page are judged in a row. */
let lastPage = urlParts('');
function pageParts(url: string): UrlParts {
  if (lastPage.url !== url) lastPage = urlParts(url);
  return lastPage;
}
