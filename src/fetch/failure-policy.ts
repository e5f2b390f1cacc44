/**
 * The one retry table of the engine: what a failed fetch or a status says about host and URL, and
 * whether trying again can help. How long to wait is politeness.ts' business.
 */
import { FetchError } from '../errors.js';
import type { CrawlErrorOptions, FetchErrorCode } from '../errors.js';

/** What a failure says something about; `engine` counts against neither host nor URL. */
export type Concern = 'host' | 'url' | 'engine';

/** How the engine treats one kind of failure. */
export interface FailurePolicy {
  readonly concerns: Concern;
  /** May the same request succeed later? If not, the outcome is final for its URL. */
  readonly retryable: boolean;
  /** Tries in a row after which the failure is final; null: as many as the settings allow. */
  readonly maxTries: number | null;
  /** Least wait before a host that failed so is asked a second time; the third waits twice as long. */
  readonly firstRetryMs: number;
}

const RETRY_MS = 1_000;
/** Name servers remember for a while that there is no such name (RFC 2308 §5). */
const NAME_RETRY_MS = 10_000;

const host = { concerns: 'host', retryable: true, maxTries: null, firstRetryMs: RETRY_MS } as const;
const url = { concerns: 'url', retryable: true, maxTries: null, firstRetryMs: RETRY_MS } as const;
const urlFinal = {
  concerns: 'url',
  retryable: false,
  maxTries: null,
  firstRetryMs: RETRY_MS,
} as const;
const engine = {
  concerns: 'engine',
  retryable: true,
  maxTries: null,
  firstRetryMs: RETRY_MS,
} as const;
/** A fault that rarely heals within hours: three tries, then the host's URLs are dead letters. */
const hostThrice = { ...host, maxTries: 3 } as const;
const nameThrice = { ...hostThrice, firstRetryMs: NAME_RETRY_MS } as const;

/**
 * Every way in which a fetch fails without a usable response. The line between host and URL is the
 * response head: before it the host is suspect, after it the host is evidently alive and only this
 * URL is (so one endless or broken page can't park its host).
 */
export const FAILURE_POLICY: Readonly<Record<FetchErrorCode, FailurePolicy>> = {
  FETCH_DNS_NOT_FOUND: nameThrice,
  FETCH_DNS_FAILED: host,
  FETCH_CONNECT: host,
  FETCH_CONNECT_TIMEOUT: host,
  FETCH_TLS: hostThrice,
  FETCH_RESET: host,
  FETCH_HEADERS_TIMEOUT: host,
  FETCH_BODY_TIMEOUT: url,
  FETCH_TOTAL_TIMEOUT: url,
  FETCH_BODY_TRUNCATED: url,
  FETCH_HEADERS_TOO_LARGE: urlFinal,
  FETCH_BODY_TOO_LARGE: urlFinal,
  FETCH_BAD_ENCODING: urlFinal,
  FETCH_PROTOCOL: urlFinal,
  FETCH_PRIVATE_ADDRESS: urlFinal,
  FETCH_TOO_MANY_REDIRECTS: urlFinal,
  FETCH_BAD_REDIRECT: urlFinal,
  FETCH_GATE_LOST: engine,
  FETCH_ABORTED: engine,
};

/** How the engine treats a status: `none` is no failure at all. */
export interface StatusPolicy {
  readonly concerns: 'host' | 'url' | 'none';
  readonly retryable: boolean;
}

/** 5xx that state a permanent lack rather than trouble (RFC 9110 §15.6.2, §15.6.6). */
const FINAL_SERVER_STATUSES = new Set([501, 505]);

/**
 * The same table for responses: 1xx–3xx no failure; 429 and 503 ask the whole host for patience;
 * 408, 425 and other 5xx may pass for this URL; everything else (403, 404, 410, 600 …) is final.
 */
export function statusPolicy(status: number): StatusPolicy {
  if (status < 400) return { concerns: 'none', retryable: false };
  if (status === 429 || status === 503) return { concerns: 'host', retryable: true };
  if (status === 408 || status === 425) return { concerns: 'url', retryable: true };
  const isServerError = status >= 500 && status <= 599;
  return { concerns: 'url', retryable: isServerError && !FINAL_SERVER_STATUSES.has(status) };
}

/** A FetchError whose `retryable` is the table's. */
export function fetchError(
  code: FetchErrorCode,
  message: string,
  options: Omit<CrawlErrorOptions, 'retryable'> = {},
): FetchError {
  return new FetchError(code, message, { ...options, retryable: FAILURE_POLICY[code].retryable });
}
