/** The rules of a robots.txt: RFC 9309, plus Crawl-delay and Sitemap. No I/O. See ADR 0004. */

import { parseUrl } from '../url/parse-url.js';
import { comparablePath, compilePath, type PathPattern } from './path-pattern.js';
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

interface Rule {
  readonly allow: boolean;
  readonly pattern: PathPattern;
  readonly line: string;
}

interface Group {
  rules: Rule[];
  /** Most specific first, allow before disallow: the first match decides. */
  isSorted: boolean;
  crawlDelayMs: number | null;
}

const NO_RULE: RobotsVerdict = { allowed: true, rule: null };

/**
 * Parse a robots.txt. Total: whatever the bytes, it returns rules, at worst none.
 *
 * @param robotsUrl where the file came from; relative Sitemap lines are resolved against it
 * @see RFC 9309 §2.2
 */
export function parseRobots(body: Uint8Array | string, robotsUrl: string): RobotsRules {
  const { groups, sitemaps } = readGroups(body, robotsUrl);
  const groupOf = (agent: string) => groups.get(productToken(agent)) ?? groups.get('*');
  return {
    sitemaps,
    crawlDelayMs: (agent) => groupOf(agent)?.crawlDelayMs ?? null,
    isAllowed(url, agent) {
      const parsed = parseUrl(url);
      if (parsed === null) return { allowed: false, rule: null };
      const pathAndQuery = parsed.slice(parsed.indexOf('/', 'https://'.length));
      // RFC 9309 §2.2.2: the file itself is always allowed.
      if (pathAndQuery === '/robots.txt') return NO_RULE;
      const group = groupOf(agent);
      if (!group) return NO_RULE;
      sortRules(group);
      const path = comparablePath(pathAndQuery);
      const rule = group.rules.find(({ pattern }) => pattern.matches(path));
      return rule ? { allowed: rule.allow, rule: rule.line } : NO_RULE;
    },
  };
}

/**
 * Groups by product token. A user-agent line after a rule starts a group; nothing else does, neither
 * unknown records nor Crawl-delay (RFC 9309 §2.2.4). Groups of one token are one group (§2.2.1).
 * A Crawl-delay binds to the user-agent lines right above it: that is what those who write
 * `User-agent: a / Crawl-delay: 1 / User-agent: b / Crawl-delay: 2` mean.
 */
function readGroups(body: Uint8Array | string, robotsUrl: string) {
  const groups = new Map<string, Group>();
  const sitemaps = new Set<string>();
  let ruleGroups: Group[] = [];
  let delayGroups: Group[] = [];
  let sawRule = false;
  let sawOther = false;
  for (const { name, value } of robotsRecords(body)) {
    if (name === 'sitemap') {
      const url = value === '' ? null : parseUrl(value, robotsUrl);
      if (url !== null) sitemaps.add(url);
    } else if (name === 'user-agent') {
      if (sawRule) ruleGroups = [];
      if (sawOther) delayGroups = [];
      sawRule = sawOther = false;
      const token = productToken(value);
      if (token === '') continue;
      const group = groups.get(token) ?? { rules: [], isSorted: true, crawlDelayMs: null };
      groups.set(token, group);
      if (!ruleGroups.includes(group)) ruleGroups.push(group);
      delayGroups.push(group);
    } else if (name === 'crawl-delay') {
      sawOther = true;
      const delayMs = parseDelayMs(value);
      // Of several the longest: nobody is hurt by the slower one.
      if (delayMs !== null) {
        for (const group of delayGroups) {
          group.crawlDelayMs = Math.max(group.crawlDelayMs ?? 0, delayMs);
        }
      }
    } else {
      sawRule = sawOther = true;
      const pattern = compilePath(value);
      if (pattern === null) continue;
      const rule = { allow: name === 'allow', pattern, line: `${name}: ${value}` };
      for (const group of ruleGroups) {
        group.rules.push(rule);
        group.isSorted = false;
      }
    }
  }
  return { groups, sitemaps: [...sitemaps] };
}

function sortRules(group: Group): void {
  if (group.isSorted) return;
  group.rules.sort(
    (a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow),
  );
  group.isSorted = true;
}

/** `Orbweaver/1.2 (+https://…)` → `orbweaver`; of a list the first; `*` stays. */
function productToken(agent: string): string {
  return (/^[^\s/,;()<]+/.exec(agent.trim())?.[0] ?? '').toLowerCase();
}

/** Seconds as a plain decimal number, however large: whoever asks for ages is not to be hurried. */
function parseDelayMs(value: string): number | null {
  if (!/^(\d+(\.\d*)?|\.\d+)$/.test(value)) return null;
  return Math.min(Math.round(Number(value) * 1000), Number.MAX_SAFE_INTEGER);
}
