/**
 * From what undici, DNS, TLS, zlib and sockets throw to the engine's fetch error codes. The same
 * low-level code means different things before and after the response head, hence the phase.
 */
import { CrawlError } from '../errors.js';
import type { FetchErrorCode } from '../errors.js';
import { fetchError } from './failure-policy.js';

/** How far a fetch had come when it failed. */
export type FetchPhase = 'connect' | 'headers' | 'body';

/** Outcome of a look-up: the name does not exist (or has no address). */
const NAME_MISSING = new Set(['ENOTFOUND', 'ENODATA', 'EAI_NONAME', 'EAI_NODATA', 'EBADNAME']);
/** Outcome of a look-up: nobody could say. */
const LOOKUP_FAILED =
  /^(EAI_\w+|ESERVFAIL|ETIMEOUT|EREFUSED|EFORMERR|ENOTIMP|EBADRESP|EBADQUERY|EBADFAMILY|ECANCELLED|ECONNREFUSED|EDESTRUCTION|ENONAME|EOF)$/;
const TLS_FAILURE =
  /^(EPROTO|HOSTNAME_MISMATCH|ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_(CA|PURPOSE)|PATH_LENGTH_|ERROR_IN_)/;
/** This process is out of something: says nothing about the host. */
const OWN_SHORTAGE = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);
const CONNECTION_GONE =
  /^(ECONNRESET|EPIPE|ECONNABORTED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_(SOCKET|INFO|ABORTED|DESTROYED|CLOSED)|ERR_STREAM_(PREMATURE_CLOSE|DESTROYED)|ERR_HTTP2_(STREAM_(ERROR|CANCEL)|SESSION_ERROR|INVALID_(SESSION|STREAM)|GOAWAY_SESSION))$/;
/** The connection closed where the parser still expected something. */
const CUT_SHORT =
  /^(UND_ERR_RES_CONTENT_LENGTH_MISMATCH|HPE_INVALID_EOF_STATE|HPE_CLOSED_CONNECTION)$/;
const BAD_COMPRESSION = /^(Z_|ERR__ERROR_|ERR_BROTLI_|ZSTD_|ERR_ZSTD)/;

/** The parts of a Node or undici error that classification reads. */
interface LowLevelError {
  readonly code?: string;
  readonly syscall?: string;
  readonly message?: string;
}

function connectCode({ code = '', syscall = '' }: LowLevelError): FetchErrorCode {
  const isLookup = syscall.startsWith('query') || syscall === 'getaddrinfo';
  if (isLookup || /^EAI_|^ENOTFOUND$|^ENODATA$|^ESERVFAIL$/.test(code)) {
    if (NAME_MISSING.has(code)) return 'FETCH_DNS_NOT_FOUND';
    if (isLookup || LOOKUP_FAILED.test(code)) return 'FETCH_DNS_FAILED';
  }
  if (TLS_FAILURE.test(code)) return 'FETCH_TLS';
  // undici refused the request itself, before any connection.
  if (/^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)$/.test(code)) return 'FETCH_PROTOCOL';
  return code === 'ETIMEDOUT' ? 'FETCH_CONNECT_TIMEOUT' : 'FETCH_CONNECT';
}

function responseCode({ code = '', message = '' }: LowLevelError, inBody: boolean): FetchErrorCode {
  if (/HEADERS?_OVERFLOW$/.test(code)) return 'FETCH_HEADERS_TOO_LARGE';
  // undici's own words for a 1xx that nobody asked for; same code as a closed connection.
  if (code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)/.test(message)) return 'FETCH_PROTOCOL';
  // Within a body this is nghttp2's word for fewer bytes than Content-Length, among others.
  if (code === 'ERR_HTTP2_STREAM_ERROR' && /PROTOCOL|FRAME|CALM/.test(message) && !inBody) {
    return 'FETCH_PROTOCOL';
  }
  // Before the head is whole this is how two lengths that differ look.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && !inBody) return 'FETCH_PROTOCOL';
  if (CONNECTION_GONE.test(code) || CUT_SHORT.test(code)) {
    return inBody ? 'FETCH_BODY_TRUNCATED' : 'FETCH_RESET';
  }
  // zlib's word for "more was to come".
  if (code === 'Z_BUF_ERROR') return 'FETCH_BODY_TRUNCATED';
  if (BAD_COMPRESSION.test(code)) return 'FETCH_BAD_ENCODING';
  // TLS of a connection may fail after the handshake too (a bad record, a late alert).
  if (TLS_FAILURE.test(code)) return inBody ? 'FETCH_BODY_TRUNCATED' : 'FETCH_TLS';
  return 'FETCH_PROTOCOL';
}

const TEXT: Readonly<Partial<Record<FetchErrorCode, string>>> = {
  FETCH_DNS_NOT_FOUND: 'The host name does not exist',
  FETCH_DNS_FAILED: 'The host name could not be resolved',
  FETCH_CONNECT: 'No connection could be made',
  FETCH_CONNECT_TIMEOUT: 'The connection was not made in time',
  FETCH_TLS: 'The secure connection failed',
  FETCH_RESET: 'The connection was closed before the response',
  FETCH_BODY_TRUNCATED: 'The response ended before its end',
  FETCH_BAD_ENCODING: 'The body could not be decompressed',
  FETCH_HEADERS_TOO_LARGE: 'The response headers are too large',
  FETCH_PROTOCOL: 'The response is not valid HTTP',
  FETCH_ABORTED: 'This worker is short of system resources',
};

/**
 * The engine's error for whatever a fetch failed with.
 *
 * @param url request URL for the message, without userinfo
 * @returns a CrawlError as it is; anything else as a FetchError with the original as its cause
 */
export function classifyFailure(error: unknown, phase: FetchPhase, url: string): CrawlError {
  if (error instanceof CrawlError) return error;
  const low = (typeof error === 'object' && error !== null ? error : {}) as LowLevelError;
  const reason = typeof low.code === 'string' ? low.code : null;
  const code = OWN_SHORTAGE.has(reason ?? '')
    ? 'FETCH_ABORTED'
    : phase === 'connect'
      ? connectCode({ ...low, message: low.message ?? '' })
      : responseCode({ code: reason ?? '', message: low.message ?? '' }, phase === 'body');
  const detail = low.message ? `: ${low.message}` : '';
  return fetchError(code, `${TEXT[code] ?? code} (${url})${detail}`, {
    cause: error,
    details: { url, reason, phase },
  });
}

/**
 * The error for an aborted fetch: the signal's own reason where that is a CrawlError (a lost gate,
 * for instance), else FETCH_ABORTED.
 */
export function abortFailure(reason: unknown, url: string): CrawlError {
  if (reason instanceof CrawlError) return reason;
  return fetchError('FETCH_ABORTED', `The fetch was aborted by the engine (${url})`, {
    cause: reason,
    details: { url },
  });
}
