/** From records to groups: what a robots.txt says to each product token (RFC 9309 §2.1, §2.2). */

import { parseUrl } from '../url/parse-url.js';
import { compilePath, type PathPattern } from './path-pattern.js';
import type { RobotsRecord } from './robots-lines.js';

/** One allow or disallow line. */
export interface Rule {
  readonly allow: boolean;
  readonly pattern: PathPattern;
  /** The line as the file has it, name in lower case. */
  readonly line: string;
}

/** What a robots.txt says, by product token in lower case, and its sitemaps. */
export interface RobotsGroups {
  /** Does a user-agent line name this token? `*` is a name like any other. */
  has(token: string): boolean;
  /** All rules for a token, in the file's order. */
  rulesOf(token: string): readonly Rule[];
  /** Longest Crawl-delay for a token in milliseconds; null without one. */
  delayMsOf(token: string): number | null;
  readonly sitemaps: readonly string[];
}

/** Rules under user-agent lines in a row. Kept once, however many agents share them. */
type RuleBlock = Rule[];
interface DelayBlock {
  delayMs: number | null;
}
interface Agent {
  readonly rules: RuleBlock[];
  readonly delays: DelayBlock[];
}

/**
 * Read groups. A user-agent line after a rule starts a group; nothing else does, neither unknown
 * records nor Crawl-delay (RFC 9309 §2.2.4). Groups of one token are one group (§2.2.1). A
 * Crawl-delay binds to the user-agent lines right above it: that is what those who write
 * `User-agent: a / Crawl-delay: 1 / User-agent: b / Crawl-delay: 2` mean.
 *
 * @param robotsUrl where the file came from; relative Sitemap lines are resolved against it
 */
export function readGroups(records: readonly RobotsRecord[], robotsUrl: string): RobotsGroups {
  const agents = new Map<string, Agent>();
  const sitemaps = new Set<string>();
  let rules: RuleBlock = [];
  let delay: DelayBlock = { delayMs: null };
  let isAfterRule = true;
  let isAfterOther = true;
  for (const { name, value } of records) {
    switch (name) {
      case 'sitemap': {
        const url = value === '' ? null : parseUrl(value, robotsUrl);
        if (url !== null) sitemaps.add(url);
        break;
      }
      case 'user-agent':
        if (isAfterRule) rules = [];
        if (isAfterOther) delay = { delayMs: null };
        isAfterRule = isAfterOther = false;
        for (const token of value.split(',').map(productToken)) {
          if (token === '') continue;
          const agent = agents.get(token) ?? { rules: [], delays: [] };
          agents.set(token, agent);
          if (agent.rules.at(-1) !== rules) agent.rules.push(rules);
          if (agent.delays.at(-1) !== delay) agent.delays.push(delay);
        }
        break;
      case 'crawl-delay': {
        isAfterOther = true;
        const delayMs = parseDelayMs(value);
        // Of several the longest: nobody is hurt by the slower one.
        if (delayMs !== null) delay.delayMs = Math.max(delay.delayMs ?? 0, delayMs);
        break;
      }
      case 'allow':
      case 'disallow': {
        isAfterRule = isAfterOther = true;
        const pattern = compilePath(value);
        if (pattern === null) break;
        rules.push({ allow: name === 'allow', pattern, line: `${name}: ${value}` });
      }
    }
  }
  return {
    sitemaps: [...sitemaps],
    has: (token) => agents.has(token),
    rulesOf: (token) => agents.get(token)?.rules.flat() ?? [],
    delayMsOf(token) {
      const delays = (agents.get(token)?.delays ?? []).map(({ delayMs }) => delayMs ?? -1);
      const longest = delays.reduce((a, b) => Math.max(a, b), -1);
      return longest < 0 ? null : longest;
    },
  };
}

/**
 * Product token of a user-agent line or a User-Agent header, in lower case; empty without one.
 * `Orbweaver/1.2 (+https://…)` → `orbweaver`; in `Mozilla/5.0 (compatible; Name/1.0)`, or with a
 * browser's words before `compatible`, it is that Name; `*` stays.
 */
export function productToken(agent: string): string {
  const text = agent.trim();
  const disguised = /^mozilla\/[\d.]+ .*?[(;] *compatible; *([^\s/,;()<]+)/i.exec(text);
  return (disguised?.[1] ?? /^[^\s/,;()<]+/.exec(text)?.[0] ?? '').toLowerCase();
}

/** Seconds as a plain decimal number, however large: whoever asks for ages is not to be hurried. */
function parseDelayMs(value: string): number | null {
  if (!/^(\d+(\.\d*)?|\.\d+)$/.test(value)) return null;
  return Math.min(Math.round(Number(value) * 1000), Number.MAX_SAFE_INTEGER);
}
