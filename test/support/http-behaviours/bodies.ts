/** Bodies that end early or never, and hosts that stall before there is one. */
import type { Behaviours } from './behaviour.js';
import { closedPort, fillBacklog } from './dead-ports.js';
import { drip, endless, page, pageOf, raw, rawThenClose, rawThenReset, silence } from './reply.js';

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const BODY = '<a href=/next>n</a>';
const MIB = 1024 * 1024;

const links = (n: number): string =>
  Array.from({ length: 500 }, (_, i) => `<a href=/n${n * 500 + i}>`).join('');

export const bodies: Behaviours = {
  'body-content-length-too-short': {
    routes: {
      '/': raw(
        `${OK}Content-Length: ${BODY.length}\r\n\r\n${BODY}HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n<a href=/smuggled>x`,
      ),
      '/next': page('/right'),
    },
  },
  'body-chunked-truncated': {
    routes: {
      '/': rawThenClose(`${OK}Transfer-Encoding: chunked\r\n\r\n13\r\n${BODY}\r\n40\r\nhalf`),
    },
  },
  'body-chunked-missing-last-chunk': {
    routes: { '/': rawThenClose(`${OK}Transfer-Encoding: chunked\r\n\r\n13\r\n${BODY}\r\n`) },
  },
  'body-chunked-bad-size': {
    routes: {
      '/': rawThenClose(`${OK}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n${BODY}\r\n`),
    },
  },
  'body-chunked-extensions-and-trailers': {
    routes: {
      '/': raw(
        `${OK}Transfer-Encoding: chunked\r\n\r\n13;a=b;c="d"\r\n${BODY}\r\n0\r\nX-Sum: 1\r\n\r\n`,
      ),
    },
  },
  'body-coded-transfer': {
    routes: {
      '/': rawThenClose(`${OK}Transfer-Encoding: gzip, chunked\r\n\r\n13\r\n${BODY}\r\n0\r\n\r\n`),
      '/identity': rawThenClose(`${OK}Transfer-Encoding: identity\r\n\r\n${BODY}`),
    },
  },
  'body-shorter-than-length': {
    routes: { '/': rawThenClose(`${OK}Content-Length: 500\r\n\r\n${BODY}`) },
  },
  'body-reset-midway': { routes: { '/': rawThenReset(`${OK}Content-Length: 500\r\n\r\n${BODY}`) } },
  'body-reset-without-length': { routes: { '/': rawThenReset(`${OK}\r\n${BODY}`) } },
  'body-until-close': { routes: { '/': rawThenClose(`${OK}\r\n${BODY}`) } },
  'body-http10-keepalive-lie': {
    routes: Object.fromEntries(
      ['/', '/next'].map((path) => [
        path,
        rawThenClose(
          `HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nConnection: keep-alive\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
        ),
      ]),
    ),
  },
  'body-infinite': { routes: { '/': endless(`${OK}\r\n`, links) } },
  'body-infinite-of-an-error': {
    routes: { '/': endless('HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n', links) },
  },
  'body-stall-after-burst': {
    routes: {
      '/': ({ socket }) =>
        void socket.write(Buffer.concat([Buffer.from(`${OK}\r\n`), Buffer.alloc(5 * MIB, 'x')])),
    },
  },
  'body-drip': { routes: { '/': drip(`${OK}\r\n`, 200) } },
  'headers-slow-drip': { routes: { '/': drip('HTTP/1.1 200 OK\r\nX-Slow: ', 100) } },
  'headers-never': { routes: { '/': silence } },
  'closed-without-a-byte': { routes: { '/': rawThenClose('') } },
  'reset-before-the-head': { routes: { '/': rawThenReset('HTTP/1.1 200') } },
  'connect-refused': { listen: closedPort },
  'connect-backlog-full': { listen: fillBacklog },
  'robots-endless': {
    routes: {
      '/robots.txt': endless('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n', () =>
        'Disallow: /x\n'.repeat(500),
      ),
      '/': ({ socket }) =>
        void socket.write(`${OK}Content-Length: ${pageOf().length}\r\n\r\n${pageOf()}`),
    },
  },
};
