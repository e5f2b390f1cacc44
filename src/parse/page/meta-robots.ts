/**
 * What a page says to crawlers: `<meta name=robots>` and X-Robots-Tag. Pure. No RFC says how either
 * is written; docs/robots.md says what is read here.
 */

/** The two directives that a crawler obeys. */
export interface PageDirectives {
  readonly noindex: boolean;
  readonly nofollow: boolean;
}

/** Words before a colon that are directives, not names of crawlers. */
const DIRECTIVES = new Set([
  ...['all', 'none', 'index', 'noindex', 'follow', 'nofollow', 'noarchive', 'nocache', 'nosnippet'],
  ...['noimageindex', 'notranslate', 'noodp', 'noydir', 'indexifembedded', 'unavailable_after'],
  ...['max-snippet', 'max-image-preview', 'max-video-preview'],
]);

/** Directives of a `<meta>` content or of a header without crawler names. `none` is both. */
export function parseDirectives(content: string): PageDirectives {
  const words = new Set(content.toLowerCase().split(/[\s,;]+/));
  const isNone = words.has('none');
  return { noindex: isNone || words.has('noindex'), nofollow: isNone || words.has('nofollow') };
}

/** Does `<meta name=…>` speak to this crawler: `robots` or its own product token? */
export function isMetaRobotsFor(name: string, robotsAgent: string): boolean {
  const lower = name.trim().toLowerCase();
  return lower === 'robots' || lower === robotsAgent.toLowerCase();
}

/**
 * Directives of X-Robots-Tag headers for one crawler. `name: directive` holds for that crawler until
 * the header ends or names another; headers without a name hold for all, and restrictions add up.
 *
 * @param values one entry a header line
 */
export function parseXRobotsTag(values: readonly string[], robotsAgent: string): PageDirectives {
  const agent = robotsAgent.toLowerCase();
  let found: PageDirectives = { noindex: false, nofollow: false };
  for (const value of values) {
    let isForUs = true;
    for (const item of value.split(',')) {
      const [, name, rest] = /^\s*([^\s:]+)\s*:(.*)$/s.exec(item) ?? [];
      let directive = item;
      if (name !== undefined && isCrawlerName(name)) {
        isForUs = ['*', 'robots', agent].includes(withoutVersion(name));
        directive = rest ?? '';
      }
      if (isForUs) found = mergeDirectives(found, parseDirectives(directive));
    }
  }
  return found;
}

/** No directive, and no part of a date: `unavailable_after: Friday, 25-Jun-10, 15:00:00 PST`. */
function isCrawlerName(word: string): boolean {
  return !DIRECTIVES.has(word.toLowerCase()) && !/^\d/.test(word);
}

function withoutVersion(name: string): string {
  return (name.split('/', 1)[0] ?? '').toLowerCase();
}

/** Restrictions add up: whatever one of them forbids is forbidden. */
export function mergeDirectives(a: PageDirectives, b: PageDirectives): PageDirectives {
  return { noindex: a.noindex || b.noindex, nofollow: a.nofollow || b.nofollow };
}
