/** The HTTP server of a synthetic web: all virtual hosts on one port, told apart by Host. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { statusAnswer } from './answer.js';
import type { Answerer } from './answer.js';
import type { Faults } from './faults.js';
import type { MsRange } from './options.js';
import { hash32 } from './random.js';
import type { RequestLog } from './request-log.js';
import { sendAnswer, watchClose } from './send.js';

/** What the server works with. */
export interface WebServerParts {
  readonly answerer: Answerer;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly latencyMs: MsRange;
}

/** Create the server; the caller listens. */
export function createWebServer(parts: WebServerParts): Server {
  const connections = new WeakMap<object, number>();
  let connectionCount = 0;
  const server = createServer((request, response) => {
    const connection = connections.get(request.socket) ?? 0;
    serve(parts, request, response, connection).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  server.on('connection', (socket) => {
    connectionCount += 1;
    connections.set(socket, connectionCount);
  });
  // Longer than any delay of a test: the server never closes under a client that keeps one alive.
  server.keepAliveTimeout = 120_000;
  // A paused host holds requests for as long as the test wants.
  server.requestTimeout = 0;
  return server;
}

async function serve(
  { answerer, faults, log, latencyMs }: WebServerParts,
  request: IncomingMessage,
  response: ServerResponse,
  connection: number,
): Promise<void> {
  const host = (request.headers.host ?? '').toLowerCase().replace(/:80$/, '');
  const path = request.url ?? '/';
  const record = log.begin({
    host,
    path,
    method: request.method ?? '',
    kind: answerer.kindOf(host, path),
    userAgent: request.headers['user-agent'] ?? '',
    connection,
  });
  const closed = watchClose(response, record);

  await faults.untilUnpaused(host, closed);
  const { min, max } = faults.latencyOf(host, latencyMs);
  const waitMs = min + (hash32(host + path) % 1_000) * ((max - min) / 999);
  if (waitMs > 0) await delay(waitMs, undefined, { signal: closed }).catch(() => undefined);
  if (closed.aborted) return;

  const fault = faults.of(host);
  if (fault?.kind === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  const answer =
    fault?.kind === 'status'
      ? statusAnswer(fault.status, fault.retryAfterS ?? 0)
      : answerer.answer({
          host,
          path,
          cookie: request.headers.cookie ?? '',
          ifNoneMatch: request.headers['if-none-match'] ?? '',
          acceptsGzip: /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')),
        });
  await sendAnswer(request, response, answer, record, closed);
}
