/**
 * Remote control of a test server, on a port of its own so that no crawl can meet it.
 *
 * GET /log (one JSON record a line), DELETE /log, and whatever the server adds: a map from
 * `METHOD /path` to a function of the JSON body.
 */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { text } from 'node:stream/consumers';
import type { RequestLog } from './request-log.js';

/** Records written between two looks at the event loop: a long log must not hold up the server. */
const LOG_BATCH = 500;

/** A control call; what it returns is sent as JSON. */
export type ControlCall = (body: unknown) => unknown;

/** Create the control server; the caller listens. */
export function createControlServer(
  log: RequestLog,
  calls: Readonly<Record<string, ControlCall>> = {},
): Server {
  const all: Record<string, ControlCall> = {
    'DELETE /log': () => {
      log.clear();
      return null;
    },
    ...calls,
  };
  return createServer((request, response) => {
    void (async () => {
      const name = `${request.method} ${request.url}`;
      if (name === 'GET /log') {
        const records = [...log.all()];
        response.writeHead(200, { 'content-type': 'application/jsonl' });
        for (let at = 0; at < records.length; at += LOG_BATCH) {
          const lines = records.slice(at, at + LOG_BATCH).map((record) => JSON.stringify(record));
          response.write(`${lines.join('\n')}\n`);
          await new Promise((resolve) => setImmediate(resolve));
        }
        response.end();
        return;
      }
      const call = all[name];
      if (!call) {
        response.writeHead(404).end(`no control call "${name}"`);
        return;
      }
      const body = await text(request);
      const result = call(body === '' ? null : JSON.parse(body));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(result ?? null));
    })().catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
}
