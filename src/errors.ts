/**
 * Errors of the engine: one class tree, one code each. Across Temporal only the code survives (as
 * the failure's `type`), so callers match `code`, never `instanceof`. docs/errors.md lists all.
 */

/** Configuration and input of people: never retried, always names field, value and remedy. */
export type ConfigErrorCode =
  | 'CONFIG_INVALID_OPTION'
  | 'CONFIG_UNKNOWN_OPTION'
  | 'CONFIG_INVALID_FILE'
  | 'CONFIG_SERVER_UNAVAILABLE'
  | 'CONFIG_SERVER_UNFIT';

/** A URL or seed that can't be crawled. */
export type UrlErrorCode = 'URL_INVALID' | 'URL_UNSUPPORTED_SCHEME';

/** What fetching one URL can end in, besides an HTTP response. */
export type FetchErrorCode =
  | 'FETCH_DNS_NOT_FOUND'
  | 'FETCH_DNS_FAILED'
  | 'FETCH_CONNECT'
  | 'FETCH_CONNECT_TIMEOUT'
  | 'FETCH_TLS'
  | 'FETCH_RESET'
  | 'FETCH_HEADERS_TIMEOUT'
  | 'FETCH_BODY_TIMEOUT'
  | 'FETCH_TOTAL_TIMEOUT'
  | 'FETCH_HEADERS_TOO_LARGE'
  | 'FETCH_BODY_TOO_LARGE'
  | 'FETCH_BODY_TRUNCATED'
  | 'FETCH_BAD_ENCODING'
  | 'FETCH_PROTOCOL'
  | 'FETCH_PRIVATE_ADDRESS'
  | 'FETCH_TOO_MANY_REDIRECTS'
  | 'FETCH_BAD_REDIRECT'
  | 'FETCH_GATE_LOST'
  | 'FETCH_ABORTED';

/** The frontier: Redis away or unfit, or a crawl that is not as asked. */
export type FrontierErrorCode =
  | 'FRONTIER_UNAVAILABLE'
  | 'FRONTIER_CRAWL_EXISTS'
  | 'FRONTIER_CRAWL_NOT_FOUND'
  | 'FRONTIER_CRAWL_STATE'
  | 'FRONTIER_CRAWL_DAMAGED'
  | 'FRONTIER_SEEN_FILTER';

/** Writing or reading crawl output. */
export type OutputErrorCode = 'OUTPUT_WRITE' | 'OUTPUT_READ';

/** Every code of the engine. */
export type ErrorCode =
  ConfigErrorCode | UrlErrorCode | FetchErrorCode | FrontierErrorCode | OutputErrorCode;

/** What an error may carry besides its message. */
export interface CrawlErrorOptions {
  /** May the same call succeed later, unchanged? Default false. */
  readonly retryable?: boolean;
  /** Facts for programs, JSON only. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** Base of all errors that the engine throws on purpose. */
export class CrawlError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: CrawlErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.details = options.details ?? {};
  }
}

/** An option, file or server setting that the engine refuses. Never retryable. */
export class ConfigError extends CrawlError {
  constructor(code: ConfigErrorCode, message: string, options?: CrawlErrorOptions) {
    super(code, message, options);
  }
}

/** A URL that can't be crawled. Never retryable. */
export class UrlError extends CrawlError {
  constructor(code: UrlErrorCode, message: string, options?: CrawlErrorOptions) {
    super(code, message, options);
  }
}

/** One fetch that got no usable response. */
export class FetchError extends CrawlError {
  declare readonly code: FetchErrorCode;
  constructor(code: FetchErrorCode, message: string, options?: CrawlErrorOptions) {
    super(code, message, options);
  }
}

/** The frontier could not do what was asked. */
export class FrontierError extends CrawlError {
  constructor(code: FrontierErrorCode, message: string, options?: CrawlErrorOptions) {
    super(code, message, options);
  }
}

/** Crawl output could not be written or read. */
export class OutputError extends CrawlError {
  constructor(code: OutputErrorCode, message: string, options?: CrawlErrorOptions) {
    super(code, message, options);
  }
}
