/** Response heads that are odd, too large, contradictory or preceded by others. */
import type { Behaviours } from './behaviour.js';
import { answer, drip, endless, page, pageOf, pageWith, raw, rawThenClose } from './reply.js';

const BODY = '<a href=/next>n</a>';
const OK = 'HTTP/1.1 200 OK\r\n';
const TYPE = 'Content-Type: text/html\r\n';
const LENGTH = `Content-Length: ${BODY.length}\r\n`;

/** A head of these lines before a page of one link. */
const head = (lines: string) => ({ routes: { '/': raw(`${OK}${lines}\r\n${BODY}`) } });
const headThenClose = (lines: string) => ({
  routes: { '/': rawThenClose(`${OK}${lines}\r\n${BODY}`) },
});

export const headers: Behaviours = {
  'header-folded': head(
    `${TYPE}Set-Cookie: UserID=JohnDoe;\r\n  Max-Age=3600;\r\n  Version=1\r\n${LENGTH}`,
  ),
  'header-20KB-set-cookie': {
    routes: {
      '/': pageWith({
        'Set-Cookie': Array.from({ length: 20 }, (_, n) => `c${n}=${'x'.repeat(1000)}`),
      }),
    },
  },
  'header-flood': {
    routes: { '/': endless(OK, () => `X-More: ${'x'.repeat(1000)}\r\n`.repeat(10)) },
  },
  'header-invalid-char': {
    routes: {
      '/': raw(`${OK}${TYPE}X-Bad: \xff\r\n${LENGTH}\r\n${BODY}`),
      '/control': rawThenClose(`${OK}${TYPE}X-Bad: a\x07b\r\n${LENGTH}\r\n${BODY}`),
    },
  },
  'header-bare-lf': {
    routes: {
      '/': rawThenClose(`${OK}${TYPE}${LENGTH}\r\n${BODY}`.replaceAll('\r\n', '\n')),
    },
  },
  'header-none-at-all': {
    routes: { '/': rawThenClose(`HTTP/1.1 200 OK\r\n\r\n${pageOf('/next')}`) },
  },
  'header-duplicate-content-type': head(`Content-Type: text/plain\r\n${TYPE}${LENGTH}`),
  'header-duplicate-content-length': head(`${TYPE}${LENGTH}${LENGTH}`),
  'header-duplicate-content-length-differs': head(`${TYPE}${LENGTH}Content-Length: 5\r\n`),
  'header-content-length-word': headThenClose(
    `${TYPE}Content-Length: thousand\r\nConnection: close\r\n`,
  ),
  'header-content-length-negative': headThenClose(
    `${TYPE}Content-Length: -1\r\nConnection: close\r\n`,
  ),
  'header-content-length-huge': {
    routes: { '/': rawThenClose(`${OK}${TYPE}Content-Length: ${'9'.repeat(20)}\r\n\r\n${BODY}`) },
  },
  'header-content-length-nul': headThenClose(`${TYPE}Content-Length: ${BODY.length}\x00\r\n`),
  'header-content-length-and-chunked': {
    routes: {
      '/': raw(
        `${OK}${TYPE}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n13\r\n${BODY}\r\n0\r\n\r\n`,
      ),
    },
  },
  'header-content-location': {
    routes: {
      '/de': pageWith({ 'Content-Location': '/de/index.html' }, pageOf('x')),
    },
  },
  'header-link-canonical': {
    routes: {
      '/': pageWith(
        { Link: '</canon>; rel="canonical", </p2>; rel=next, </p,3>; title="a, </no>"; rel=next' },
        pageOf(),
      ),
    },
  },
  'header-refresh': { routes: { '/': pageWith({ Refresh: '0; url=/r' }, pageOf()) } },
  'header-client-transfer-encoding': head(`${TYPE}Client-Transfer-Encoding: chunked\r\n${LENGTH}`),
  'interim-100-unasked': {
    routes: {
      '/': raw(`HTTP/1.1 100 Continue\r\n\r\n${OK}${TYPE}${LENGTH}\r\n${BODY}`),
      // In pieces, with fields of its own, and twice.
      '/next': ({ socket }) => {
        const text = `HTTP/1.1 100 Continue\r\nX: y\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${OK}${TYPE}Content-Length: 2\r\n\r\nok`;
        let at = 0;
        const timer = setInterval(() => {
          socket.write(text.slice(at, (at += 9)));
          if (at >= text.length) clearInterval(timer);
        }, 5);
      },
    },
  },
  'interim-103-hints': {
    routes: {
      '/': raw(
        `HTTP/1.1 103 Early Hints\r\nLink: </hint>; rel=next\r\n\r\n${OK}${TYPE}${LENGTH}\r\n${BODY}`,
      ),
    },
  },
  'interim-100-for-ever': {
    routes: { '/': drip('', 20, 'HTTP/1.1 100 Continue\r\n\r\n') },
  },
  'http-0.9': { routes: { '/': rawThenClose(pageOf('/next')) } },
  gibberish: { routes: { '/': rawThenClose(`${'\x00\xff\x17 nonsense '.repeat(50)}\r\n\r\n`) } },
  'x-robots-tag-none': {
    routes: {
      '/': answer({
        headers: { 'Content-Type': 'text/html', 'X-Robots-Tag': 'nofollow' },
        body: pageOf('/next'),
      }),
      '/next': page(),
    },
  },
};
