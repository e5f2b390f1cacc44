/** What lives behind a URL of the synthetic web. */

/** A link as written, and the URL that a right reading of it means. */
export interface Link {
  readonly href: string;
  readonly text: string;
  /** Absolute URL in canonical spelling; null for what is no web address (mailto: and the like). */
  readonly target: string | null;
  readonly nofollow: boolean;
}

/** Answers a URL gives before it gives its page. */
export interface EarlyAnswers {
  readonly status: 429 | 503;
  /** How many requests get it. */
  readonly count: number;
  /** Seconds in Retry-After; 0 for no header. */
  readonly retryAfterS: number;
}

/** An HTML page that answers 200, at once or in the end. */
export interface PageResource {
  readonly type: 'page';
  readonly title: string;
  readonly links: Link[];
  /** Files that the page embeds, root-relative. */
  readonly embeds: string[];
  /** Raw markup that holds no link, though it looks like it. */
  readonly phantomMarkup: string;
  readonly baseHref?: string;
  /** Content of meta robots. */
  readonly robotsMeta?: string;
  /** Value of X-Robots-Tag. */
  readonly robotsHeader?: string;
  readonly early?: EarlyAnswers;
  /** Without the cookie: 302 to itself with Set-Cookie. */
  readonly needsCookie?: boolean;
  readonly gzip?: boolean;
  /** Pad the body to about this many bytes. */
  readonly padToBytes?: number;
  /** Forbidden by the host's robots.txt. */
  readonly disallowed?: boolean;
}

export interface RedirectResource {
  readonly type: 'redirect';
  readonly status: 301 | 302 | 307 | 308;
  /** Location as sent. */
  readonly location: string;
  /** What it means: an absolute URL in canonical spelling. */
  readonly target: string;
}

export interface FailureResource {
  readonly type: 'failure';
  readonly status: 404 | 410 | 500;
}

export interface FileResource {
  readonly type: 'file';
  readonly contentType: string;
  readonly bytes: number;
}

export interface SitemapResource {
  readonly type: 'sitemap';
  /** 'index' lists sitemaps, 'urls' lists pages. */
  readonly form: 'index' | 'urls';
  readonly gzip: boolean;
  /** Absolute URLs. */
  readonly entries: readonly string[];
}

export interface RobotsResource {
  readonly type: 'robots';
  readonly text: string;
}

export type Resource =
  | PageResource
  | RedirectResource
  | FailureResource
  | FileResource
  | SitemapResource
  | RobotsResource;

/** One virtual host: resources by path and query. */
export interface HostModel {
  readonly index: number;
  /** Lower case, no port. */
  readonly name: string;
  readonly resources: Map<string, Resource>;
  /** Sitemap URLs that robots.txt names. */
  readonly sitemaps: string[];
  /** Seconds that robots.txt asks for; 0 for none. */
  readonly crawlDelayS: number;
}
