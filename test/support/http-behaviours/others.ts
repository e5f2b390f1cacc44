/** Cookies, traps, kept connections. */
import { rawThenClose } from './reply.js';
import type { Behaviours } from './behaviour.js';
import { answer, page, pageOf, pageWith, status } from './reply.js';

const HTML = { 'Content-Type': 'text/html' };

export const cookies: Behaviours = {
  'cookie-malformed': {
    routes: {
      '/': pageWith({
        'Set-Cookie': [
          '=x',
          ';;;',
          'a=b; Expires=garbage; Domain=other.test',
          'ok=1; Path=/',
          '__proto__=1',
        ],
      }),
      '/next': page('/huge'),
      '/huge': rawThenClose(
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: big=${'x'.repeat(1024 * 1024)}\r\nContent-Length: 0\r\n\r\n`,
      ),
    },
  },
  'cookie-public-suffix': {
    routes: {
      '/': (request) =>
        request.host.startsWith('a.')
          ? answer({
              headers: { ...HTML, 'Set-Cookie': ['s=1; Domain=co.uk', 'own=1'] },
              body: pageOf(`http://b.co.uk/seen`, '/own'),
            })(request)
          : page()(request),
    },
  },
  'cookie-over-limit': {
    routes: {
      '/': pageWith({
        'Set-Cookie': Array.from({ length: 15 }, (_, n) => `c${n}=${'v'.repeat(3000)}; Path=/`),
      }),
    },
  },
};

export const traps: Behaviours = {
  'trap-deep-path': { routes: { '*': page('deeper/'), '/': page('deeper/') } },
  'trap-broken-relative': { routes: { '*': page('b/c.html'), '/a/': page('b/c.html') } },
  'trap-many-params': {
    routes: {
      '*': (request) => {
        const { searchParams } = new URL(request.path, 'http://x');
        const links = ['a', 'b', 'c', 'd'].flatMap((name) =>
          [1, 2, 3, 4, 5].map((value) => {
            const next = new URLSearchParams(searchParams);
            next.delete(name);
            next.append(name, String(value));
            return `/list?${next.toString().replaceAll('&', '&amp;')}`;
          }),
        );
        page(...links)(request);
      },
    },
  },
};

const CRAWL_DELAY = answer({
  headers: { 'Content-Type': 'text/plain' },
  body: 'User-agent: *\nCrawl-delay: 2\n',
});

export const connections: Behaviours = {
  'keepalive-stale': {
    idleMs: 1000,
    routes: { '/robots.txt': CRAWL_DELAY, '/': page('/one'), '/one': page('/two'), '/two': page() },
  },
  'keepalive-cut-at-use': {
    routes: {
      '*': (request) => {
        // Each connection serves one request; the next one on it meets its end.
        if (request.onConnection > 1) request.socket.destroy();
        else page('/one', '/two')(request);
      },
      '/robots.txt': status(404),
    },
  },
  'connection-limit': { routes: { '/': page(...Array.from({ length: 30 }, (_, n) => `/p${n}`)) } },
  'connection-close-each-time': {
    routes: {
      '*': answer({ headers: { ...HTML, Connection: 'close' }, body: pageOf('/one', '/two') }),
    },
  },
};
