/** Bytes that played hosts send. Text is a byte per character (latin1), so that heads may lie. */
import type { Socket } from 'node:net';
import type { Play, PlayedRequest } from './behaviour.js';

/** Parts of an answer. */
export interface Answer {
  /** @default 200 */
  readonly status?: number;
  /** Field lines; Content-Length is added unless a length or coding is named. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

/** Text as bytes, a byte per character. */
export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Head and body of an answer. */
export function bytesOf({ status = 200, headers = {}, body = '' }: Answer): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const fields = { ...headers };
  const names = Object.keys(fields).map((name) => name.toLowerCase());
  if (!names.includes('content-length') && !names.includes('transfer-encoding')) {
    fields['Content-Length'] = String(bytes.length);
  }
  const lines = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}\r\n`),
  );
  return Buffer.concat([latin1(`HTTP/1.1 ${status} Played\r\n${lines.join('')}\r\n`), bytes]);
}

/** Answers with these parts, and keeps the connection. */
export const answer =
  (parts: Answer | ((request: PlayedRequest) => Answer)): Play =>
  (request) =>
    void request.socket.write(bytesOf(typeof parts === 'function' ? parts(request) : parts));

const HTML = { 'Content-Type': 'text/html' };

/** A page of HTML with these links. */
export const page = (...links: readonly string[]): Play =>
  answer({ headers: HTML, body: pageOf(...links) });

/** Markup with these links. */
export const pageOf = (...links: readonly string[]): string =>
  `<!doctype html><title>played</title>${links.map((to) => `<a href="${to}">n</a>`).join('')}`;

/** A page with other fields besides Content-Type. */
export const pageWith = (
  headers: Answer['headers'],
  body: string | Buffer = pageOf('/next'),
  status = 200,
): Play => answer({ status, headers: { ...HTML, ...headers }, body });

/** A redirect without a body. */
export const redirect = (
  location: string,
  { status = 302, headers = {} }: Pick<Answer, 'status' | 'headers'> = {},
): Play => answer({ status, headers: { Location: location, ...headers } });

/** Only a status. */
export const status = (code: number, headers: Answer['headers'] = {}): Play =>
  answer({ status: code, headers });

/** Exactly these bytes; the connection stays. */
export const raw =
  (text: string): Play =>
  ({ socket }) =>
    void socket.write(latin1(text));

/** Exactly these bytes, then the end of the connection. */
export const rawThenClose =
  (text: string | Buffer): Play =>
  ({ socket }) =>
    void socket.end(typeof text === 'string' ? latin1(text) : text);

/** These bytes, then a reset. */
export const rawThenReset =
  (text: string | Buffer): Play =>
  ({ socket }) => {
    const bytes = typeof text === 'string' ? latin1(text) : text;
    // The pause lets the bytes be read before the reset overtakes them.
    socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 100));
  };

/** Says nothing at all. */
export const silence: Play = () => {};

/** A head, then chunks for as long as the connection takes them. */
export const endless =
  (head: string, chunk: (n: number) => string | Buffer): Play =>
  ({ socket }) => {
    socket.write(latin1(head));
    pump(socket, chunk);
  };

/** Writes as fast as the other side reads, until the connection is gone. */
export function pump(socket: Socket, chunk: (n: number) => string | Buffer): void {
  let n = 0;
  const write = (): void => {
    if (socket.destroyed || !socket.writable) return;
    if (socket.write(chunk(n++))) setImmediate(write);
    else socket.once('drain', write);
  };
  write();
}

/** A head, then one byte each `everyMs` for as long as the connection takes them. */
export const drip =
  (head: string, everyMs: number, byte = 'x'): Play =>
  ({ socket }) => {
    socket.write(latin1(head));
    const timer = setInterval(() => socket.write(byte), everyMs);
    socket.once('close', () => clearInterval(timer));
  };
