/** What a robots.txt says of one URL to one crawler. */
import { robotsUrl } from '../../robots/access.js';
import { parseRobots } from '../../robots/rules.js';
import { requireUrl } from '../../url/parse-url.js';
import type { RequestFields } from './request-fields.js';

/** Fields of a request. */
export const ROBOTS_FIELDS = ['robotsTxt', 'robotsTxtBase64', 'userAgent', 'url'] as const;

export interface RobotsAnswer {
  readonly allowed: boolean;
  /** The line that decides; null where none applies. */
  readonly rule: string | null;
  /** Seconds; null without a valid one. The crawl caps it (`maxDelayMs`). */
  readonly crawlDelay: number | null;
  readonly sitemaps: readonly string[];
}

/** @throws CONFIG_INVALID_OPTION, URL_INVALID, URL_UNSUPPORTED_SCHEME */
export function inspectRobots(fields: RequestFields): RobotsAnswer {
  const agent = fields.required('userAgent', '"orbweaver"');
  const url = requireUrl(fields.required('url', '"https://example.com/page"'), 'url');
  const rules = parseRobots(fields.body('robotsTxt', 'robotsTxtBase64'), robotsUrl(url));
  const { allowed, rule } = rules.isAllowed(url, agent);
  const delayMs = rules.crawlDelayMs(agent);
  return {
    allowed,
    rule,
    crawlDelay: delayMs === null ? null : delayMs / 1000,
    sitemaps: rules.sitemaps,
  };
}
