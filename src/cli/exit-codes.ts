/** Exit codes of the command line; docs/cli.md lists them, a test holds both against each other. */

/** One code per kind of ending, so that scripts can tell them apart. */
export const EXIT = {
  /** What was asked for is done. */
  ok: 0,
  /** A fault of orbweaver or of its surroundings that nobody foresaw. */
  unexpected: 1,
  /** Arguments, options, environment or config file are refused. */
  usage: 2,
  /** The crawl is over and stored no page. */
  noPage: 3,
  /** Temporal or Redis is missing, out of reach or unfit. */
  servers: 4,
  /** There is no such crawl. */
  noSuchCrawl: 5,
  /** The crawl id is taken: resume it or choose another. */
  crawlExists: 6,
  /** The crawl ended as failed or cancelled, or is in a state that does not allow the request. */
  crawlEnded: 7,
  /** Output can't be written or read. */
  output: 8,
  /** Ctrl-C (SIGINT): the crawl stays resumable. */
  interrupted: 130,
  /** SIGTERM: likewise. */
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BY_CODE: Readonly<Record<string, ExitCode>> = {
  CONFIG_SERVER_UNAVAILABLE: EXIT.servers,
  CONFIG_SERVER_UNFIT: EXIT.servers,
  FRONTIER_UNAVAILABLE: EXIT.servers,
  FRONTIER_SEEN_FILTER: EXIT.servers,
  FRONTIER_CRAWL_NOT_FOUND: EXIT.noSuchCrawl,
  FRONTIER_CRAWL_EXISTS: EXIT.crawlExists,
  FRONTIER_CRAWL_STATE: EXIT.crawlEnded,
};

/** The exit code for an error's code (`CrawlError.code`, or the type of a Temporal failure). */
export function exitCodeOf(errorCode: string | undefined): ExitCode {
  if (errorCode === undefined) return EXIT.unexpected;
  const known = BY_CODE[errorCode];
  if (known !== undefined) return known;
  if (/^(?:CONFIG|URL)_/.test(errorCode)) return EXIT.usage;
  return errorCode.startsWith('OUTPUT_') ? EXIT.output : EXIT.unexpected;
}
