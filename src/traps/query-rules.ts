/** Queries that grow from page to page. Pure, linear. */
import type { Parameter, UrlParts, Verdict } from './url-parts.js';

/** One parameter with one value, so many times in a query. */
const SAME_PAIR = { later: 2, hold: 4 };
/** One name with whatever values: forms with many boxes to tick repeat theirs. */
const SAME_NAME = { later: 8, hold: 32 };
/** Names that say that they are lists: `id[]`. */
const LIST_NAME_LATER = 16;

/** Parameters of a query that has all of those of the page that it was found on, and more. */
const GROWN = { later: 7, hold: 20 };
/** Characters of a query that begins with the whole query of that page. */
const GROWN_CHARS = { later: 200, hold: 1000 };

/** Parameters that are there several times. */
export function repeatedParameter({ parameters }: UrlParts): Verdict {
  if (parameters.length < SAME_PAIR.later) return null;
  let verdict: Verdict = null;
  const pairs = new Map<string, number>();
  const names = new Map<string, number>();
  for (const { name, value } of parameters) {
    const ofPair = count(pairs, `${name}=${value}`);
    const ofName = count(names, name);
    if (ofPair >= SAME_PAIR.hold || ofName >= SAME_NAME.hold) return 'hold';
    const namesLater = /(\[\]|%5b%5d)$/i.test(name) ? LIST_NAME_LATER : SAME_NAME.later;
    if (ofPair >= SAME_PAIR.later || ofName >= namesLater) verdict = 'later';
  }
  return verdict;
}

function count(counts: Map<string, number>, key: string): number {
  const next = (counts.get(key) ?? 0) + 1;
  counts.set(key, next);
  return next;
}

/**
 * More of the same than on the page that the URL was found on: filters that are added one by one are
 * finite, a query that never stops growing is not.
 */
export function growingQuery(link: UrlParts, page: UrlParts): Verdict {
  if (link.query === '' || page.query === '' || link.beforeQuery !== page.beforeQuery) return null;
  if (link.query.length <= page.query.length) return null;
  if (link.query.startsWith(page.query)) {
    if (link.query.length >= GROWN_CHARS.hold) return 'hold';
    if (link.query.length >= GROWN_CHARS.later) return 'later';
  }
  const parameters = link.parameters.length;
  if (parameters < GROWN.later || parameters <= page.parameters.length) return null;
  const own = new Set(link.parameters.map(pairOf));
  if (!page.parameters.every((one) => own.has(pairOf(one)))) return null;
  return parameters >= GROWN.hold ? 'hold' : 'later';
}

const pairOf = ({ name, value }: Parameter): string => `${name}=${value}`;

/** Addresses within addresses: encoded so many times over, or so many of them. */
const ENCODED = { later: 2, hold: 4 };
const QUESTION_MARKS = { later: 2, hold: 5 };
const ADDRESSES = { later: 3, hold: 6 };

/** A return address that holds a return address that holds one. */
export function nestedUrl({ url, query }: UrlParts): Verdict {
  // Most URLs hold no other.
  if (query === '' && !url.includes('%25') && url.indexOf('http', 4) < 0) return null;
  let encoded = 0;
  for (const [, run = ''] of url.matchAll(/%((?:25)+)/g))
    encoded = Math.max(encoded, run.length / 2);
  const marks = countOf(query, /\?|%3f/gi);
  // The URL's own scheme is the first.
  const addresses = countOf(url, /https?(?::|%3a|%253a)/gi) - 1;
  if (encoded >= ENCODED.hold || marks >= QUESTION_MARKS.hold || addresses >= ADDRESSES.hold) {
    return 'hold';
  }
  const isNested =
    encoded >= ENCODED.later || marks >= QUESTION_MARKS.later || addresses >= ADDRESSES.later;
  return isNested ? 'later' : null;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
