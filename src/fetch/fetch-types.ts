/** What a fetch takes and gives. */
import type { CrawlSettings } from '../contracts/settings.js';
import type { CookieJar } from './cookies.js';
import type { ResponseHeaders } from './response-head.js';

/** The settings of a crawl that a fetch obeys. */
export type FetchSettings = Pick<
  CrawlSettings,
  | 'userAgent'
  | 'maxBytes'
  | 'connectTimeoutMs'
  | 'headersTimeoutMs'
  | 'bodyTimeoutMs'
  | 'totalTimeoutMs'
  | 'allowPrivate'
  | 'mapHosts'
>;

/** What is known of a response before its body. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The Content-Type that counts, with parameters; null without a valid one. */
  readonly contentType: string | null;
}

/** One request: a GET of one URL, no redirect followed. */
export interface FetchRequest {
  /** http or https; userinfo and fragment are dropped, never sent. */
  readonly url: string;
  readonly settings: FetchSettings;
  /** Ends the fetch; a CrawlError as its reason (a lost gate) becomes the fetch's error. */
  readonly signal: AbortSignal;
  /** Accept header; default asks for HTML. */
  readonly accept?: string;
  /** Overrides settings.maxBytes (robots.txt: 500 KiB). */
  readonly maxBytes?: number;
  /** What happens at maxBytes to a 2xx body; default `fail`. Other statuses always truncate. */
  readonly onTooLarge?: 'fail' | 'truncate';
  /** Validators of an earlier fetch: the answer may then be 304. */
  readonly conditional?: { readonly etag?: string; readonly lastModified?: string };
  /** Jar of the host or of the redirect chain; none: no cookies are sent or kept. */
  readonly cookies?: CookieJar;
  /** Decides from the head of a 2xx whether its body is read; default yes. */
  readonly wantsBody?: (head: ResponseHead) => boolean;
  /**
   * Called before the one repeat of a request that hit a connection which the server had closed
   * while idle. Ask the politeness gate here; a rejection ends the fetch with that error.
   */
  readonly beforeRepeat?: () => Promise<void>;
}

/** What came back. Any status is a response, 404 and 503 too. */
export interface FetchResponse extends ResponseHead {
  /** What was requested: WHATWG serialisation without userinfo and fragment. */
  readonly url: string;
  /** Absolute target of a redirect without fragment, any scheme; null where there is none. */
  readonly location: string | null;
  /** Decoded body; empty for redirects and bodies that were not wanted. */
  readonly body: Buffer;
  /** Body bytes that came over the wire (after de-chunking, before decoding). */
  readonly wireBytes: number;
  /**
   * The body is not whole: cut at maxBytes, or, for statuses from 400 on (whose body matters
   * little), broken on the way.
   */
  readonly truncated: boolean;
  /** False where the body was left unread: a redirect, or wantsBody said no. */
  readonly bodyRead: boolean;
  readonly remoteAddress: string | null;
  readonly httpVersion: '1.1' | '2';
  /** Epoch. */
  readonly startedAtMs: number;
  /** From the call to the last byte, monotonic; includes connecting. */
  readonly durationMs: number;
}

/** Fetches for a whole worker process. */
export interface Fetcher {
  /**
   * One request. Takes at most connectTimeoutMs + totalTimeoutMs (twice that with a repeat).
   *
   * @throws FetchError with a code of FAILURE_POLICY; UrlError for what is no http(s) URL; the
   *   signal's reason where that is a CrawlError
   */
  fetch(request: FetchRequest): Promise<FetchResponse>;
  /** Ends running fetches (FETCH_ABORTED) and closes all connections. */
  close(): Promise<void>;
}
