/** One played host on a loopback port of its own: raw sockets, and a log of all that happened. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Behaviour, PlayedRequest } from './behaviour.js';
import { bytesOf, page, status } from './reply.js';

/** First byte of a TLS record that begins a handshake (RFC 8446 §5.1). */
const TLS_HANDSHAKE = 0x16;

/** What a played host saw. */
export interface HostLog {
  /** In order of arrival. */
  readonly requests: LoggedRequest[];
  /** Connections accepted. */
  connections: number;
  /** Connections open now, and most at once. */
  open: number;
  mostOpen: number;
  /** Bytes that the other side's system took of each connection, without those still waiting here. */
  readonly bytesTaken: number[];
}

export type LoggedRequest = Pick<PlayedRequest, 'path' | 'host' | 'headers'>;

/** A host that plays. */
export interface PlayedHost {
  readonly port: number;
  readonly log: HostLog;
  /** Cuts what is open. */
  close(): Promise<void>;
}

/** Start one behaviour. */
export async function startBehaviour(behaviour: Behaviour): Promise<PlayedHost> {
  const log: HostLog = { requests: [], connections: 0, open: 0, mostOpen: 0, bytesTaken: [] };
  if (behaviour.listen) return { ...(await behaviour.listen()), log };
  const times = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    log.connections += 1;
    log.open += 1;
    log.mostOpen = Math.max(log.mostOpen, log.open);
    const at = log.bytesTaken.push(0) - 1;
    const waiting = (): number => socket.writableLength;
    socket
      .on('error', () => {})
      .on('close', () => {
        log.bytesTaken[at] = socket.bytesWritten - waiting();
        log.open -= 1;
        sockets.delete(socket);
      });
    if (behaviour.idleMs !== undefined) socket.setTimeout(behaviour.idleMs, () => socket.end());
    if (behaviour.isDeaf) {
      socket.resume();
      return;
    }
    socket.once('data', (first: Buffer) => {
      const isTls = first[0] === TLS_HANDSHAKE;
      if (isTls && behaviour.tls === undefined) {
        // As servers of plain HTTP do.
        socket.end(bytesOf({ status: 400, headers: { Connection: 'close' } }));
        return;
      }
      // Back to where it came from, before anybody else reads.
      socket.pause();
      socket.unshift(first);
      // TLS takes what is buffered by itself.
      readRequests(isTls ? secured(socket, behaviour) : socket, isTls, behaviour, log, times);
      if (!isTls) socket.resume();
    });
  });
  const port = await listening(server, behaviour.address ?? '127.0.0.1');
  return {
    port,
    log,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listening(server: Server, address: string): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, address, () => resolve((server.address() as AddressInfo).port)),
  );
}

function secured(socket: Socket, { tls }: Behaviour): TLSSocket {
  const secure = new TLSSocket(socket, {
    isServer: true,
    ...tls?.(null),
    SNICallback: (name, done) => {
      const identity = tls?.(name);
      if (identity) done(null, createSecureContext(identity));
      else done(new Error('no such name here'));
    },
  });
  return secure.on('error', () => socket.destroy());
}

function readRequests(
  socket: Socket,
  isTls: boolean,
  behaviour: Behaviour,
  log: HostLog,
  times: Map<string, number>,
): void {
  let text = '';
  let onConnection = 0;
  socket.on('data', (data: Buffer) => {
    text += data.toString('latin1');
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const [requestLine = '', ...fields] = text.slice(0, end).split('\r\n');
      text = text.slice(end + 4);
      const path = requestLine.split(' ')[1] ?? '';
      const headers = Object.fromEntries(
        fields.map((field) => {
          const colon = field.indexOf(':');
          return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
        }),
      );
      const host = (headers['host'] ?? '').replace(/:\d+$/, '');
      log.requests.push({ path, host, headers });
      const key = `${host} ${path}`;
      times.set(key, (times.get(key) ?? 0) + 1);
      onConnection += 1;
      const asked = times.get(key) ?? 1;
      playOf(behaviour, path)({ path, host, headers, times: asked, onConnection, isTls, socket });
    }
  });
}

function playOf({ routes = {} }: Behaviour, path: string) {
  const own = routes[path];
  if (own) return own;
  if (path === '/robots.txt') return status(404);
  return routes['*'] ?? page();
}
