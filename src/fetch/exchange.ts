/**
 * One HTTP exchange on one connection: dispatch, limits, body, exactly one outcome.
 */
import type { Client, Dispatcher } from 'undici';
import { BoundedBody, bodyTooLarge } from './bounded-body.js';
import { abortFailure, classifyFailure } from './classify.js';
import type { FetchPhase } from './classify.js';
import type { OriginConnector } from './connector.js';
import { contentCodings } from './content-encoding.js';
import type { Coding } from './content-encoding.js';
import { Deadlines } from './deadlines.js';
import type { FetchSettings, ResponseHead } from './fetch-types.js';
import {
  contentTypeOf,
  firstHeader,
  headerBytes,
  parseHeaders,
  redirectLocation,
} from './response-head.js';

/** A body that nobody wants is read so far and so long, to keep its connection usable. */
const MAX_DRAINED_BYTES = 16 * 1024;
const MAX_DRAIN_MS = 1_000;

/** Input of one exchange. */
export interface ExchangeOptions {
  readonly client: Client;
  readonly connector: OriginConnector;
  readonly url: URL;
  readonly requestHeaders: Record<string, string>;
  readonly settings: FetchSettings;
  readonly maxBytes: number;
  readonly onTooLarge: 'fail' | 'truncate';
  readonly wantsBody: (head: ResponseHead) => boolean;
  readonly signal: AbortSignal;
}

type Head = ResponseHead & { readonly location: string | null };

/** What one exchange knows of the response; see FetchResponse. */
export interface ExchangeResponse extends Head {
  readonly body: Buffer;
  readonly wireBytes: number;
  readonly truncated: boolean;
  readonly bodyRead: boolean;
}

/** Outcome of one exchange. */
export interface ExchangeResult {
  readonly response: ExchangeResponse;
  /** Did the connection end up at the end of a whole message? */
  readonly isReusable: boolean;
}

/** Sends the request and waits for its end. Rejects with a CrawlError; never leaves a listener. */
export function exchange(options: ExchangeOptions): Promise<ExchangeResult> {
  return new Promise((resolve, reject) => new Exchange(options, resolve, reject).start());
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #url: string;
  readonly #resolve: (result: ExchangeResult) => void;
  readonly #reject: (error: Error) => void;
  readonly #deadlines: Deadlines;
  #controller: Dispatcher.DispatchController | null = null;
  #phase: FetchPhase = 'connect';
  #isSettled = false;
  #head: Head | null = null;
  /** Null while the body is drained, not read. */
  #body: BoundedBody | null = null;
  #drainedBytes = 0;

  constructor(
    options: ExchangeOptions,
    resolve: (result: ExchangeResult) => void,
    reject: (error: Error) => void,
  ) {
    this.#options = options;
    this.#url = options.url.href;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#deadlines = new Deadlines(this.#url, (error) => this.#fail(error));
  }

  start(): void {
    const { client, connector, url, requestHeaders, settings, signal } = this.#options;
    signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#deadlines.phase({
      option: 'connectTimeoutMs',
      limitMs: settings.connectTimeoutMs,
      code: () => (connector.isResolving ? 'FETCH_DNS_FAILED' : 'FETCH_CONNECT_TIMEOUT'),
    });
    const path = url.pathname + url.search;
    client.dispatch({ method: 'GET', path, headers: requestHeaders }, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isSettled) {
      controller.abort(new Error('no longer wanted'));
      return;
    }
    const { headersTimeoutMs, totalTimeoutMs } = this.#options.settings;
    this.#options.connector.expectHead();
    this.#phase = 'headers';
    this.#deadlines.phase({
      option: 'headersTimeoutMs',
      limitMs: headersTimeoutMs,
      code: () => 'FETCH_HEADERS_TIMEOUT',
    });
    this.#deadlines.total(totalTimeoutMs);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // 1xx only announce the response; the headers' limit bounds them too.
    if (this.#isSettled || status < 200) return;
    const raw = controller.rawHeaders as readonly (Buffer | string)[];
    const list = headerBytes(raw, this.#options.connector.isHttp2);
    const headers = parseHeaders(list);
    const location = redirectLocation(status, list, this.#url);
    const head = { status, headers, contentType: contentTypeOf(headers), location };
    this.#phase = 'body';
    try {
      this.#openBody(head);
      this.#head = head;
    } catch (error) {
      this.#fail(error);
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return;
    if (this.#body) {
      this.#deadlines.refreshPhase();
      this.#body.write(chunk);
      return;
    }
    this.#drainedBytes += chunk.length;
    if (this.#drainedBytes > MAX_DRAINED_BYTES) this.#succeed(false);
  }

  onResponseEnd(): void {
    if (this.#isSettled) return;
    // Decoding may go on; that is no silence of the host.
    this.#deadlines.endPhase();
    if (this.#body === null) this.#succeed(true);
    else if (this.#options.connector.isReset) {
      const error = new Error('the connection was reset within the body');
      this.#fail(Object.assign(error, { code: 'ECONNRESET' }));
    } else if (this.#isShortOfContentLength(this.#body)) {
      const error = new Error('fewer bytes than Content-Length says');
      this.#fail(Object.assign(error, { code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' }));
    } else this.#body.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  readonly #onAbort = (): void => {
    this.#settle(false);
    this.#reject(abortFailure(this.#options.signal.reason, this.#url));
  };

  #openBody(head: Head): void {
    const { maxBytes, onTooLarge, settings, wantsBody } = this.#options;
    const isSuccess = head.status < 300;
    if (head.location !== null || (isSuccess && !wantsBody(head))) {
      const code = () => 'FETCH_BODY_TIMEOUT' as const;
      this.#deadlines.phase({ option: 'drain', limitMs: MAX_DRAIN_MS, code });
      return;
    }
    const codings = this.#codingsOf(head);
    const announcedBytes = Number(firstHeader(head.headers, 'content-length') ?? 0);
    if (isSuccess && onTooLarge === 'fail' && codings.length === 0 && announcedBytes > maxBytes) {
      throw bodyTooLarge(this.#url, maxBytes);
    }
    this.#body = new BoundedBody({
      url: this.#url,
      codings,
      maxBytes,
      onTooLarge: isSuccess ? onTooLarge : 'truncate',
      onDone: (error) => (error ? this.#fail(error) : this.#succeed(!this.#body?.truncated)),
    });
    this.#deadlines.phase({
      option: 'bodyTimeoutMs',
      limitMs: settings.bodyTimeoutMs,
      code: () => 'FETCH_BODY_TIMEOUT',
    });
  }

  /** An empty body needs no decoding, and the body of a failure is only for the record. */
  #codingsOf({ status, headers }: Head): Coding[] {
    try {
      return contentCodings(headers, this.#url);
    } catch (error) {
      const isEmpty = status === 204 || firstHeader(headers, 'content-length') === '0';
      if (status >= 300 || isEmpty) return [];
      throw error;
    }
  }

  /** undici checks this for HTTP/1.1 only. */
  #isShortOfContentLength(body: BoundedBody): boolean {
    const announced = this.#head && firstHeader(this.#head.headers, 'content-length');
    if (!this.#options.connector.isHttp2 || !announced || !/^\d+$/.test(announced)) return false;
    return this.#head?.status !== 304 && body.wireBytes < Number(announced);
  }

  /** The end by an error, unless what came before it already counts: a redirect, a status. */
  #fail(error: unknown): void {
    if (this.#isSettled) return;
    const isBodyIncidental = this.#body === null || (this.#head?.status ?? 0) >= 300;
    if (this.#head !== null && isBodyIncidental) {
      this.#succeed(false);
      return;
    }
    this.#settle(false);
    this.#reject(classifyFailure(error, this.#phase, this.#url));
  }

  #succeed(isComplete: boolean): void {
    const [head, body] = [this.#head, this.#body];
    if (this.#isSettled || head === null) return;
    const response = {
      ...head,
      body: body?.toBuffer() ?? Buffer.alloc(0),
      wireBytes: body?.wireBytes ?? this.#drainedBytes,
      truncated: body !== null && !isComplete,
      bodyRead: body !== null,
    };
    this.#settle(isComplete);
    this.#resolve({ response, isReusable: isComplete });
  }

  /** After this nothing of the exchange runs on: no timer, no listener, no wire. */
  #settle(isComplete: boolean): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    if (!isComplete) this.#controller?.abort(new Error('no longer wanted'));
    this.#deadlines.clear();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#body?.discard();
  }
}
