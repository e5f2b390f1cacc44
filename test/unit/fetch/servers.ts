/** Real servers on loopback for fetch tests; every one is closed after the test that opened it. */
import { createServer as createHttp } from 'node:http';
import type { RequestListener, Server as HttpServer } from 'node:http';
import { createServer as createNet } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach } from 'vitest';
import type { CrawlSettings } from '../../../src/contracts/settings.js';
import { createFetcher } from '../../../src/fetch/fetcher.js';
import type { FetcherOptions } from '../../../src/fetch/fetcher.js';
import type { Fetcher, FetchRequest, FetchSettings } from '../../../src/fetch/fetch-types.js';

const closers: (() => Promise<unknown>)[] = [];

/** Runs after the test, last registered first. */
export function onCleanup(close: () => Promise<unknown>): void {
  closers.push(close);
}

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Limits that no test reaches by accident. */
export const SETTINGS: FetchSettings = {
  userAgent: 'orbweaver-test/1.0 (+https://example.org/bot)',
  maxBytes: 1_000_000,
  connectTimeoutMs: 20_000,
  headersTimeoutMs: 20_000,
  bodyTimeoutMs: 20_000,
  totalTimeoutMs: 20_000,
  allowPrivate: true,
  mapHosts: [],
};

/** Listens on a free loopback port; connections left over are cut at the end. */
export async function listen(
  server: Server,
  host = '127.0.0.1',
): Promise<{ port: number; connections: Set<Socket>; accepted: () => number }> {
  const connections = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    connections.add(socket);
    socket.on('error', () => {}).on('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onCleanup(async () => {
    for (const socket of connections) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, connections, accepted: () => accepted };
}

/** An HTTP server; `url` has no trailing slash. */
export async function httpServer(listener: RequestListener): Promise<{
  url: string;
  port: number;
  server: HttpServer;
  connections: Set<Socket>;
  accepted: () => number;
}> {
  const server = createHttp(listener);
  const listening = await listen(server);
  return { ...listening, server, url: `http://127.0.0.1:${listening.port}` };
}

/** A server that runs `answer` per request head it has received, with bytes of its own making. */
export async function rawServer(
  answer: (socket: Socket, head: string) => void,
): Promise<{ url: string; port: number; connections: Set<Socket>; accepted: () => number }> {
  const server = createNet((socket) => {
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end);
        text = text.slice(end + 4);
        answer(socket, head);
      }
    });
  });
  const listening = await listen(server);
  return { ...listening, url: `http://127.0.0.1:${listening.port}` };
}

/** A server that sends the same bytes (a character each) to every request, then closes. */
export function cannedServer(bytes: string): ReturnType<typeof rawServer> {
  return rawServer((socket) => socket.end(Buffer.from(bytes, 'latin1')));
}

/** A fetcher that is closed after the test. */
export function openFetcher(options: FetcherOptions = {}): Fetcher {
  const fetcher = createFetcher(options);
  onCleanup(() => fetcher.close());
  return fetcher;
}

/** A request with SETTINGS, some of them replaced. */
export function request(
  url: string,
  settings: Partial<CrawlSettings> = {},
  more: Partial<FetchRequest> = {},
): FetchRequest {
  return {
    url,
    settings: { ...SETTINGS, ...settings },
    signal: new AbortController().signal,
    ...more,
  };
}

/** Resolves once the condition holds; fails with the test's own timeout. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
