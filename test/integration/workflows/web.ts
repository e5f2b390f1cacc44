/** Real http servers on loopback that answer for any number of names and remember what was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';

/** One request as the server saw it; times in ms since the epoch. */
export interface Seen {
  readonly host: string;
  readonly path: string;
  readonly cookie: string | undefined;
  readonly startMs: number;
  endMs: number;
}

/** What a path answers: text is an HTML page, an array of paths or URLs a page that links to them. */
export type Answer =
  | string
  | readonly string[]
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Buffer;
    }
  /** The connection breaks without an answer. */
  | 'RESET'
  | ((request: IncomingMessage, times: number) => Answer | Promise<Answer>);

export interface Web {
  readonly port: number;
  /** Option `mapHosts` that leads every `.test` name here. */
  readonly mapHosts: readonly string[];
  /** Answer for a host; paths that are not named are 404, robots.txt too. */
  host(name: string, paths: Readonly<Record<string, Answer>>): string;
  requests(domain: string): Seen[];
  close(): Promise<void>;
}

/** A registered domain that no other test uses: gates are shared by all crawls of a Redis. */
export const newDomain = (): string => `d${randomUUID().slice(0, 8)}.test`;

/** A page that links to these. */
export const linksTo = (links: readonly string[]): string =>
  `<!doctype html><title>t</title>${links.map((link) => `<a href="${link}">x</a>`).join('\n')}`;

export async function startWeb(): Promise<Web> {
  const hosts = new Map<string, Readonly<Record<string, Answer>>>();
  const times = new Map<string, number>();
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const name = (request.headers.host ?? '').split(':')[0]!;
    const path = request.url ?? '/';
    const record: Seen = {
      host: name,
      path,
      cookie: request.headers.cookie,
      startMs: Date.now(),
      endMs: Infinity,
    };
    seen.push(record);
    response.once('close', () => (record.endMs = Date.now()));
    const key = `${name}${path}`;
    times.set(key, (times.get(key) ?? 0) + 1);
    void send(hosts.get(name)?.[path] ?? { status: 404 }, request, response, times.get(key)!);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    mapHosts: [`*.test=127.0.0.1:${port}`],
    host(name, paths) {
      hosts.set(name, paths);
      return `http://${name}/`;
    },
    requests: (domain) => seen.filter(({ host }) => host === domain || host.endsWith(`.${domain}`)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function send(
  answer: Answer,
  request: IncomingMessage,
  response: ServerResponse,
  times: number,
): Promise<void> {
  if (typeof answer === 'function') {
    return send(await answer(request, times), request, response, times);
  }
  if (answer === 'RESET') {
    request.socket.destroy();
    return;
  }
  if (typeof answer === 'string') return page(response, answer);
  if (Array.isArray(answer)) return page(response, linksTo(answer as readonly string[]));
  const {
    status = 200,
    headers = {},
    body = '',
  } = answer as Exclude<Answer, readonly string[]> & {
    status?: number;
    headers?: Record<string, string>;
    body?: string | Buffer;
  };
  response.writeHead(status, { 'content-type': 'text/html', ...headers });
  response.end(body);
}

function page(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(body);
}

/** Least time from the end of a request to the start of the next; they may not overlap. */
export function leastGapMs(requests: readonly Seen[]): number {
  const sorted = [...requests].sort((a, b) => a.startMs - b.startMs);
  return Math.min(...sorted.slice(1).map((next, n) => next.startMs - sorted[n]!.endMs));
}
