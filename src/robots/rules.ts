/** The rules of a robots.txt: RFC 9309, plus Crawl-delay and Sitemap. No I/O. See ADR 0004. */

import { parseUrl } from '../url/parse-url.js';
import { productToken, readGroups, type Rule } from './groups.js';
import { comparablePath } from './path-pattern.js';
import { robotsRecords } from './robots-lines.js';

/** Whether a URL may be fetched; `rule` is the line that says so, null where none applies. */
export interface RobotsVerdict {
  readonly allowed: boolean;
  readonly rule: string | null;
}

/** Parsed robots.txt of one origin. */
export interface RobotsRules {
  /**
   * Only path and query of `url` matter: to ask the file of the URL's own origin is the caller's
   * part. What is no http(s) URL is not allowed.
   *
   * @param agent product token (`orbweaver`) or User-Agent header; a version is ignored
   */
  isAllowed(url: string, agent: string): RobotsVerdict;
  /** Crawl-delay for the agent in milliseconds; null without a valid one. May be huge: cap it. */
  crawlDelayMs(agent: string): number | null;
  /** Sitemap lines: absolute http(s) URLs, each once, in order. They belong to no group. */
  readonly sitemaps: readonly string[];
}

const NO_RULE: RobotsVerdict = { allowed: true, rule: null };

/** Agents whose merged rules are kept sorted; a crawl asks for one. */
const MAX_KEPT_AGENTS = 4;

/**
 * Parse a robots.txt. Total: whatever the bytes, it returns rules, at worst none. Time and memory
 * are linear in the file, however many agents share how many rules.
 *
 * @param robotsUrl where the file came from; relative Sitemap lines are resolved against it
 * @see RFC 9309 §2.2
 */
export function parseRobots(body: Uint8Array | string, robotsUrl: string): RobotsRules {
  const groups = readGroups(robotsRecords(body), robotsUrl);
  const tokenOf = (agent: string): string => {
    const token = productToken(agent);
    return groups.has(token) ? token : '*';
  };
  const sorted = new Map<string, readonly Rule[]>();
  const rulesOf = (agent: string): readonly Rule[] => {
    const known = sorted.get(agent);
    if (known) return known;
    const rules = bySpecificity(groups.rulesOf(tokenOf(agent)));
    if (sorted.size >= MAX_KEPT_AGENTS) sorted.clear();
    sorted.set(agent, rules);
    return rules;
  };
  return {
    sitemaps: groups.sitemaps,
    crawlDelayMs: (agent) => groups.delayMsOf(tokenOf(agent)),
    isAllowed(url, agent) {
      const parsed = parseUrl(url);
      if (parsed === null) return { allowed: false, rule: null };
      const pathAndQuery = parsed.slice(parsed.indexOf('/', 'https://'.length));
      // RFC 9309 §2.2.2: the file itself is always allowed.
      if (pathAndQuery === '/robots.txt') return NO_RULE;
      const path = comparablePath(pathAndQuery);
      const rule = rulesOf(agent).find(({ pattern }) => pattern.matches(path));
      return rule ? { allowed: rule.allow, rule: rule.line } : NO_RULE;
    },
  };
}

/** Most octets first, allow before disallow: the first match decides (RFC 9309 §2.2.2). */
function bySpecificity(rules: readonly Rule[]): readonly Rule[] {
  return rules.toSorted(
    (a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow),
  );
}
