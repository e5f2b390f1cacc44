/** All hosts of all cases on loopback, each label of each case on a port of its own. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { sendAnswer } from './answer.js';
import {
  expectationsOf,
  firstLabel,
  isAboutExpiry,
  isLedTo,
  type RobotsHttpCase,
} from './robots-case.js';
import { SELF_SIGNED_CERT, SELF_SIGNED_KEY } from './self-signed.js';

/** Asked for first where a case is about expiry; its answer, with links to the rest, is held back. */
export const FIRST_VISIT = '/first-visit';

/** One request as a host saw it. */
export interface SeenRequest {
  readonly case: string;
  readonly label: string;
  readonly path: string;
  readonly atMs: number;
  /** Bytes that were taken from the host over this connection so far. */
  sentBytes: number;
}

export interface RobotsWeb {
  /** URL of a path of a case's label. */
  url(name: string, label: string, path: string): string;
  /** Where a crawl of all cases starts. */
  readonly seeds: readonly string[];
  /** Origins whose robots.txt must expire while their first page is held. */
  readonly expiring: readonly string[];
  readonly requests: readonly SeenRequest[];
  /** Connections that are still open, by case. */
  openConnections(): string[];
  /** Answer the first visits that are held, and all later ones. */
  release(): void;
  stop(): Promise<void>;
}

/** Start the hosts of all cases. */
export async function startRobotsWeb(cases: readonly RobotsHttpCase[]): Promise<RobotsWeb> {
  const web = new Web();
  for (const each of cases)
    for (const label of Object.keys(each.server)) await web.open(each, label);
  return {
    url: (name, label, path) => `${web.origin(name, label)}${path}`,
    seeds: cases.flatMap((each) => web.seedsOf(each)),
    expiring: cases.filter(isAboutExpiry).flatMap((each) => web.originsOf(each)),
    requests: web.requests,
    openConnections: () => [...web.connections.values()],
    release: () => web.release(),
    stop: () => web.stop(),
  };
}

class Web {
  readonly requests: SeenRequest[] = [];
  readonly connections = new Map<Socket, string>();
  private readonly origins = new Map<string, string>();
  private readonly servers: Server[] = [];
  private held: (() => void)[] | null = [];

  origin(name: string, label: string): string {
    const origin = this.origins.get(`${name} ${label}`);
    if (origin === undefined) throw new Error(`case ${name} has no host ${label}`);
    return origin;
  }

  originsOf({ name, server }: RobotsHttpCase): string[] {
    return Object.keys(server).map((label) => this.origin(name, label));
  }

  seedsOf(each: RobotsHttpCase): string[] {
    if (isAboutExpiry(each)) return this.originsOf(each).map((origin) => origin + FIRST_VISIT);
    const starts = (each.seeds ?? []).map((path) => ({ label: firstLabel(each), path }));
    return [
      ...starts,
      ...expectationsOf(each).filter(({ label, path }) => !isLedTo(each, label, path)),
    ].map(({ label, path }) => this.origin(each.name, label) + path);
  }

  async open(each: RobotsHttpCase, label: string): Promise<void> {
    const behaviours = Object.values(each.server[label] ?? {}).flatMap((answers) =>
      answers.map(({ behaviour }) => behaviour),
    );
    const isTls = behaviours.includes('tls-self-signed') || label.endsWith('-https');
    const onSocket = (socket: Socket): void => this.serve(each, label, socket);
    const server = isTls
      ? createTlsServer({ cert: SELF_SIGNED_CERT, key: SELF_SIGNED_KEY }, onSocket)
      : createServer(onSocket);
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    this.origins.set(`${each.name} ${label}`, `${isTls ? 'https' : 'http'}://127.0.0.1:${port}`);
    if (behaviours.includes('refuse')) {
      await new Promise((resolve) => server.close(resolve));
    } else {
      this.servers.push(server);
    }
  }

  release(): void {
    for (const answer of this.held ?? []) answer();
    this.held = null;
  }

  async stop(): Promise<void> {
    for (const socket of this.connections.keys()) socket.destroy();
    await Promise.all(this.servers.map((one) => new Promise((resolve) => one.close(resolve))));
  }

  private serve(each: RobotsHttpCase, label: string, socket: Socket): void {
    this.connections.set(socket, each.name);
    let head = '';
    let request: SeenRequest | undefined;
    socket
      .on('error', () => {})
      .on('close', () => {
        if (request) request.sentBytes = socket.bytesWritten;
        this.connections.delete(socket);
      })
      .on('data', (chunk) => {
        head += chunk.toString('latin1');
        if (request || !head.includes('\r\n\r\n')) return;
        const path = head.split(' ', 2)[1] ?? '';
        request = { case: each.name, label, path, atMs: performance.now(), sentBytes: 0 };
        const before = this.requests.filter(
          (one) => one.case === each.name && one.label === label && one.path === path,
        ).length;
        this.requests.push(request);
        const hasCookie = /^cookie:/im.test(head);
        this.reply(each, label, path, { before, hasCookie }, socket);
      });
  }

  private reply(
    each: RobotsHttpCase,
    label: string,
    path: string,
    { before, hasCookie }: { readonly before: number; readonly hasCookie: boolean },
    socket: Socket,
  ): void {
    const fill = (text: string): string =>
      text.replaceAll(/\{([\w-]+)\}/g, (whole, name: string) =>
        name in each.server ? new URL(this.origin(each.name, name)).host : whole,
      );
    if (path === FIRST_VISIT && isAboutExpiry(each)) {
      const links = expectationsOf(each).filter((one) => one.label === label);
      const body = links.map((one) => `<a href="${one.path}">x</a>`).join('');
      // The head goes at once: what is held must not look like a host that does not answer.
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n');
      const send = (): void => void socket.end(body);
      if (this.held) this.held.push(send);
      else send();
      return;
    }
    const answers = each.server[label]?.[path] ?? [{ body: '<title>a page</title>' }];
    const next = answers[Math.min(before, answers.length - 1)] ?? {};
    // Who comes back without the cookie that the first answer set is sent for it again.
    const isForgetful = !hasCookie && answers[0]?.headers?.['Set-Cookie'] !== undefined;
    const answer = isForgetful ? (answers[0] ?? {}) : next;
    sendAnswer(socket, answer, path, fill);
  }
}
