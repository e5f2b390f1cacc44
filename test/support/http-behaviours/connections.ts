/** Connections that are kept, cut, counted. */
import type { Behaviours } from './behaviour.js';
import { answer, page, pageOf, status } from './reply.js';

const HTML = { 'Content-Type': 'text/html' };

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
