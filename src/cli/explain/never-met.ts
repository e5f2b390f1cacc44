/** A URL that a crawl never met: what would become of it. Pure. */
import { FINAL_STATES } from '../../frontier/crawl-directory.js';
import { counted, formatCount, plain } from '../display/format.js';
import { queuedCount } from '../../contracts/totals.js';
import type { UrlFacts } from './gather-facts.js';

/** Why it is not there. */
export type UnmetVerdict =
  /** Scope, include or exclude keep it out. */
  | 'outOfScope'
  /** Its robots.txt would have it skipped. */
  | 'robotsTxt'
  /** Its registered domain has all the hosts that it may have. */
  | 'hostLimit'
  /** Nothing keeps it out: nobody has linked to it. */
  | 'neverMet';

/** The first rule that would keep it out, or that none would. */
export function neverMet(facts: UrlFacts): { name: UnmetVerdict; sentence: string } {
  const { scope, robots, status, host, domainHosts, registeredDomain } = facts;
  const { settings } = status;
  if (!scope.inScope) {
    return {
      name: 'outOfScope',
      sentence: `It was never queued and would not be: out of scope by ${plain(scope.rule)}.`,
    };
  }
  if (host === null && domainHosts >= settings.maxHostsPerDomain) {
    return {
      name: 'hostLimit',
      sentence:
        `It was never queued and would be held back: ${plain(registeredDomain)} has ` +
        `${counted(domainHosts, 'host')} already, as many as --max-hosts-per-domain allows.`,
    };
  }
  if (robots.verdict === 'forbidden') {
    return {
      name: 'robotsTxt',
      sentence: `It was never met, and would be left out: its robots.txt forbids it by "${plain(robots.rule ?? '')}".`,
    };
  }
  if (facts.suspicion?.weight === 'hold') {
    return {
      name: 'neverMet',
      sentence:
        'It was never met, and a link to it would have it held back as a crawl trap by the rule ' +
        `${facts.suspicion.rule}; with --no-traps, or from a sitemap, it would be queued.`,
    };
  }
  return {
    name: 'neverMet',
    sentence: `It was never met: ${whyUnmet(facts)}${hostTrouble(facts)}.`,
  };
}

/** What a link to it would not mend. */
function hostTrouble({ host, hostKey }: UrlFacts): string {
  if (host?.isBlocked === true) {
    return `, but its host ${plain(hostKey)} was out of reach for too long (${plain(host.reason ?? 'unknown')})`;
  }
  if (host?.isExhausted === true) {
    return `, but its host ${plain(hostKey)} has reached its limit (--per-host-limit)`;
  }
  return '';
}

function whyUnmet({ status }: UrlFacts): string {
  const { settings, totals } = status;
  const isOver = FINAL_STATES.includes(status.state);
  const left = queuedCount(totals);
  const unread =
    left === 0
      ? 'no page that was fetched'
      : `no page that was fetched so far (${formatCount(left)} URLs are still queued)`;
  const depth =
    settings.maxDepth === null
      ? ''
      : `, at most ${counted(settings.maxDepth, 'link')} away from a seed (--depth)`;
  const end = isOver ? 'would queue it' : 'will queue it';
  const nofollow = settings.robots === 'obey' ? ' that is not nofollow' : '';
  return `${unread} has a link to it that counts; a link${nofollow}${depth} ${end}`;
}
