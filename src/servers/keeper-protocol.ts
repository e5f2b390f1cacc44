/** What a keeper tells its clients: one JSON object a line. Clients say nothing; they only hold on. */
import type { Socket } from 'node:net';
import type { ConfigErrorCode } from '../errors.js';
import type { ProcessIdentity } from './process-identity.js';
import type { RedisExecutable } from './redis-server.js';

/** Raised when the messages change, so that two versions notice each other. */
export const KEEPER_PROTOCOL = 1;

/** Addresses of running servers. */
export interface ServerAddresses {
  readonly temporalAddress: string;
  readonly namespace: 'default';
  readonly uiUrl: string;
  readonly redisUrl: string;
}

/** Ports asked for by the user. */
export interface AskedPorts {
  readonly temporalPort?: number;
  readonly uiPort?: number;
  readonly redisPort?: number;
}

/** What a keeper is started with (its one argument, as JSON). */
export interface KeeperConfig {
  readonly dataDir: string;
  readonly redis: RedisExecutable;
  readonly temporal: { readonly path: string };
  readonly ports: AskedPorts;
}

/** One message. */
export type KeeperMessage =
  | { readonly type: 'report'; readonly line: string }
  | {
      readonly type: 'ready';
      readonly protocol: number;
      readonly keeper: ProcessIdentity;
      readonly addresses: ServerAddresses;
    }
  | { readonly type: 'failed'; readonly code: ConfigErrorCode; readonly message: string };

/** Write a message; a client that is gone is no error. */
export function sendMessage(socket: Socket, message: KeeperMessage): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

/** Call `onMessage` for each complete line that arrives. */
export function readMessages(socket: Socket, onMessage: (message: KeeperMessage) => void): void {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) onMessage(JSON.parse(line) as KeeperMessage);
  });
}
