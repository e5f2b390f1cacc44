/**
 * A static file server in a process of its own, on 127.0.0.1.
 *
 *     npx tsx test/support/manuals/main.ts --root /usr/share/doc/git-doc --port 8080
 *
 * Prints one JSON line with its ports when it listens.
 */
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { createControlServer } from '../synthetic-web/control-server.js';
import { RequestLog } from '../synthetic-web/request-log.js';
import { sendAnswer, watchClose } from '../synthetic-web/send.js';
import { announce, endWithStdin, listen } from '../server-process.js';
import { answerFromFolder } from './static-files.js';

const { values } = parseArgs({
  options: {
    root: { type: 'string' },
    port: { type: 'string', default: '0' },
    'end-with-stdin': { type: 'boolean' },
  },
});
const { root } = values;
if (root === undefined) {
  throw new Error('--root: missing; give the folder to serve, such as /usr/share/doc/git-doc');
}

const log = new RequestLog();
const server = createServer((request, response) => {
  const path = request.url ?? '/';
  const record = log.begin({
    host: (request.headers.host ?? '').toLowerCase(),
    path,
    method: request.method ?? '',
    kind: path === '/robots.txt' ? 'robots' : 'other',
    userAgent: request.headers['user-agent'] ?? '',
    connection: 0,
  });
  const closed = watchClose(response, record);
  answerFromFolder(root, path)
    .then(async (answer) => {
      if (answer.headers['content-type'] === 'text/html') record.kind = 'page';
      await sendAnswer(request, response, answer, record, closed);
    })
    .catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
});
server.keepAliveTimeout = 120_000;

if (values['end-with-stdin']) endWithStdin();
const port = await listen(server, Number(values.port));
const controlPort = await listen(createControlServer(log), 0);
announce({ port, controlPort });
