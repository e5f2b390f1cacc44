/** Sends an answer and notes in the record when it ended. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { monotonicMs } from './request-log.js';
import type { OpenRecord } from './request-log.js';

/** Larger bodies go out in pieces, so that the end noted is that of the last one. */
const PIECE_BYTES = 64 * 1024;

/** Note in the record when and how the connection of a request closes. Call it on arrival. */
export function watchClose(response: ServerResponse, record: OpenRecord): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) record.aborted = true;
    record.endMs ??= monotonicMs();
    closed.abort();
  });
  return closed.signal;
}

/** Send an answer whole; `content-length` is added. A client that has gone is no error. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: { status: number; headers: Readonly<Record<string, string>>; body: Buffer },
  record: OpenRecord,
  closed: AbortSignal,
): Promise<void> {
  if (closed.aborted) return;
  record.status = answer.status;
  const retryAfter = answer.headers['retry-after'];
  record.retryAfterMs = retryAfter === undefined ? null : Number(retryAfter) * 1_000;
  const hasBody = answer.status !== 304;
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(hasBody ? { 'content-length': String(answer.body.length) } : {}),
  });
  let at = 0;
  if (request.method !== 'HEAD' && hasBody) {
    for (; answer.body.length - at > PIECE_BYTES; at += PIECE_BYTES) {
      if (response.write(answer.body.subarray(at, at + PIECE_BYTES))) continue;
      await once(response, 'drain', { signal: closed }).catch(() => undefined);
      if (closed.aborted) return;
    }
  }
  record.endMs = monotonicMs();
  response.end(hasBody ? answer.body.subarray(at) : undefined);
}
