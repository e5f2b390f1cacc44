/** One answer of a case as bytes on a socket: exactly what the case says, and no more. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Answer, BodyPart } from './robots-case.js';

const CHUNK_BYTES = 64 * 1024;
const BODILESS = new Set([204, 304]);

/** Answer a request and end the connection, as the answer's behaviour has it. */
export function sendAnswer(
  socket: Socket,
  answer: Answer,
  path: string,
  fill: (text: string) => string,
): void {
  const { behaviour, status = 200 } = answer;
  if (behaviour === 'never-answer') return;
  if (behaviour === 'reset-after-accept') {
    socket.resetAndDestroy();
    return;
  }
  const body = BODILESS.has(status) ? Buffer.alloc(0) : bodyOf(answer, fill);
  socket.write(headOf(answer, status, path, body, fill));
  if (body === null) {
    Readable.from(endless(answer.bodyParts ?? [])).pipe(socket);
  } else if (behaviour === 'reset-after-body') {
    // Only what has left may be broken off: a reset throws away what waits to be sent.
    socket.write(body, () => setImmediate(() => socket.resetAndDestroy()));
  } else {
    socket.end(body);
  }
}

function headOf(
  answer: Answer,
  status: number,
  path: string,
  body: Buffer | null,
  fill: (text: string) => string,
): string {
  const type = path.endsWith('.txt') ? 'text/plain' : 'text/html';
  const headers = Object.entries(answer.headers ?? { 'Content-Type': type });
  const isSized = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  if (body !== null && !isSized && !BODILESS.has(status)) {
    headers.push(['Content-Length', String(body.length)]);
  }
  headers.push(['Connection', 'close']);
  const lines = headers.map(([name, value]) => `${name}: ${fill(value)}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unheard Of'}\r\n${lines.join('')}\r\n`;
}

/** @returns null for a body without end */
function bodyOf(answer: Answer, fill: (text: string) => string): Buffer | null {
  if (answer.bodyBase64 !== undefined) return Buffer.from(answer.bodyBase64, 'base64');
  const parts = answer.bodyParts;
  if (parts === undefined) return Buffer.from(fill(answer.body ?? ''));
  if (parts.some(({ repeat }) => repeat === -1)) return null;
  return Buffer.concat(parts.map((part) => repeated(part, 0, part.repeat ?? 1)));
}

function* endless(parts: readonly BodyPart[]): Generator<Buffer> {
  for (const part of parts) {
    const repeat = part.repeat ?? 1;
    if (repeat !== -1) {
      yield repeated(part, 0, repeat);
      continue;
    }
    const times = Math.ceil(CHUNK_BYTES / part.text.length);
    for (let from = 0; ; from += times) yield repeated(part, from, times);
  }
}

function repeated({ text, counter }: BodyPart, from: number, times: number): Buffer {
  if (!counter) return Buffer.from(text.repeat(times));
  const texts = Array.from({ length: times }, (_unused, n) =>
    text.replaceAll('{n}', `${from + n}`),
  );
  return Buffer.from(texts.join(''));
}
