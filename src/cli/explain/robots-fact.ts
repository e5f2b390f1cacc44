/** What the stored robots.txt of a URL's origin says of it. */
import type { CrawlSettings } from '../../contracts/settings.js';
import type { StoredRobots } from '../../frontier/robots-store.js';
import { parseRobots } from '../../robots/rules.js';

/** The verdict; `rule` is the line that decides, null where none applies. */
export interface RobotsFact {
  readonly verdict:
    | 'allowed'
    | 'forbidden'
    /** The origin has no robots.txt: everything is allowed. */
    | 'noFile'
    /** It could not be had, and there is no last good copy: nothing is fetched for now. */
    | 'unreachable'
    /** Nobody has asked for it yet, or so long ago that it was forgotten. */
    | 'notAsked'
    /** The crawl ignores robots.txt. */
    | 'ignored';
  readonly rule: string | null;
  /** The rules are the last good copy, because the file can't be had now. */
  readonly isOldCopy: boolean;
}

/** Pure. @param stored null where the frontier has none */
export function robotsFact(
  stored: StoredRobots | null,
  url: string,
  settings: Pick<CrawlSettings, 'robots' | 'robotsAgent'>,
): RobotsFact {
  const fact = (verdict: RobotsFact['verdict']) => ({ verdict, rule: null, isOldCopy: false });
  if (settings.robots === 'ignore') return fact('ignored');
  if (stored === null) return fact('notAsked');
  if (stored.access === 'allowAll') return fact('noFile');
  if (stored.body === null) return fact('unreachable');
  const rules = parseRobots(Buffer.from(stored.body, 'base64'), stored.url);
  const { allowed, rule } = rules.isAllowed(url, settings.robotsAgent);
  return {
    verdict: allowed ? 'allowed' : 'forbidden',
    rule,
    isOldCopy: stored.access === 'disallowAll',
  };
}
