/**
 * The fetch layer: one request, one hop. Redirects are returned, not followed, because the caller
 * asks the politeness gate before every request.
 */
import { setMaxListeners } from 'node:events';
import { CrawlError, UrlError } from '../errors.js';
import { abortFailure } from './classify.js';
import { Connections } from './connections.js';
import { ACCEPT_ENCODING } from './content-encoding.js';
import { exchange } from './exchange.js';
import type { ExchangeResponse } from './exchange.js';
import { fetchError } from './failure-policy.js';
import type { Fetcher, FetchRequest, FetchResponse } from './fetch-types.js';
import { createResolver } from './resolve-host.js';
import type { ResolveHost } from './resolve-host.js';

const ACCEPT_HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const VALID_HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;

/** What a process may set for all its fetches. */
export interface FetcherOptions {
  /** Name look-up; default: createResolver(). */
  readonly resolve?: ResolveHost;
  /** Certificates (PEM) of authorities that are trusted besides the built-in ones. */
  readonly extraCa?: string;
}

/** The fetcher of a worker process. Close it at the end. */
export function createFetcher(options: FetcherOptions = {}): Fetcher {
  return new UndiciFetcher(options);
}

/**
 * A URL as it is requested: WHATWG form without userinfo and fragment.
 *
 * @throws URL_INVALID, URL_UNSUPPORTED_SCHEME
 */
function requestUrl(text: string): URL {
  if (!URL.canParse(text)) {
    throw new UrlError('URL_INVALID', `"${text.slice(0, 200)}" is not an absolute URL`);
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const message = `Only http and https URLs are fetched, not ${url.protocol}`;
    throw new UrlError('URL_UNSUPPORTED_SCHEME', message, { details: { scheme: url.protocol } });
  }
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

function requestHeaders(request: FetchRequest, url: URL): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': request.settings.userAgent,
    accept: request.accept ?? ACCEPT_HTML,
    'accept-encoding': ACCEPT_ENCODING,
  };
  const { etag, lastModified } = request.conditional ?? {};
  // Servers chose these values; what can't be sent back is left out.
  if (etag && VALID_HEADER_VALUE.test(etag)) headers['if-none-match'] = etag;
  if (lastModified && VALID_HEADER_VALUE.test(lastModified)) {
    headers['if-modified-since'] = lastModified;
  }
  const cookie = request.cookies?.headerFor(url.href);
  if (cookie) headers['cookie'] = cookie;
  return headers;
}

/** Did the request hit a kept connection that the server had closed meanwhile? */
class StaleConnectionError extends Error {}

class UndiciFetcher implements Fetcher {
  readonly #connections = new Connections();
  readonly #resolve: ResolveHost;
  readonly #extraCa: string | null;
  readonly #closing = new AbortController();

  constructor(options: FetcherOptions) {
    this.#resolve = options.resolve ?? createResolver();
    this.#extraCa = options.extraCa ?? null;
    // One listener a running fetch, removed with it: any number is right.
    setMaxListeners(0, this.#closing.signal);
  }

  async fetch(request: FetchRequest): Promise<FetchResponse> {
    const url = requestUrl(request.url);
    const startedAtMs = Date.now();
    const startMs = performance.now();
    // A controller of our own, not AbortSignal.any: that one keeps a trace on a long-lived signal.
    const abort = new AbortController();
    const onAbort = (): void => abort.abort(request.signal.reason);
    const onClose = (): void => abort.abort(this.#closing.signal.reason);
    request.signal.addEventListener('abort', onAbort);
    this.#closing.signal.addEventListener('abort', onClose);
    try {
      if (request.signal.aborted) onAbort();
      if (this.#closing.signal.aborted) onClose();
      const result = await this.#attemptTwice(request, url, abort.signal);
      request.cookies?.store(result.headers['set-cookie'] ?? [], url.href);
      return { ...result, url: url.href, startedAtMs, durationMs: performance.now() - startMs };
    } finally {
      request.signal.removeEventListener('abort', onAbort);
      this.#closing.signal.removeEventListener('abort', onClose);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(fetchError('FETCH_ABORTED', 'The fetcher was closed'));
    await this.#connections.destroy();
  }

  async #attemptTwice(request: FetchRequest, url: URL, signal: AbortSignal): Promise<Attempt> {
    try {
      return await this.#attempt(request, url, signal, true);
    } catch (error) {
      if (!(error instanceof StaleConnectionError)) throw error;
      // RFC 9112 §9.3.1: the server may close an idle connection at any time; a GET is repeated.
      await request.beforeRepeat?.();
      return await this.#attempt(request, url, signal, false);
    }
  }

  async #attempt(
    request: FetchRequest,
    url: URL,
    signal: AbortSignal,
    mayBeStale: boolean,
  ): Promise<Attempt> {
    if (signal.aborted) throw abortFailure(signal.reason, url.href);
    const { settings } = request;
    const { client, connector, release } = this.#connections.hold(url.origin, {
      allowPrivate: settings.allowPrivate,
      mapHosts: settings.mapHosts,
      resolve: this.#resolve,
      extraCa: this.#extraCa,
    });
    const connectsBefore = connector.connects;
    let isReusable = false;
    try {
      const result = await exchange({
        client,
        connector,
        url,
        requestHeaders: requestHeaders(request, url),
        settings,
        maxBytes: request.maxBytes ?? settings.maxBytes,
        onTooLarge: request.onTooLarge ?? 'fail',
        wantsBody: request.wantsBody ?? (() => true),
        signal,
      });
      ({ isReusable } = result);
      const { remoteAddress, isHttp2 } = connector;
      return { ...result.response, remoteAddress, httpVersion: isHttp2 ? '2' : '1.1' };
    } catch (error) {
      const isReset = error instanceof CrawlError && error.code === 'FETCH_RESET';
      const wasReused = connectsBefore > 0 && connector.connects === connectsBefore;
      if (mayBeStale && isReset && wasReused) throw new StaleConnectionError();
      throw error;
    } finally {
      release(isReusable);
    }
  }
}

type Attempt = ExchangeResponse & Pick<FetchResponse, 'remoteAddress' | 'httpVersion'>;
