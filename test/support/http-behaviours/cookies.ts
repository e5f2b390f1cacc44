/** Cookies: malformed, for whole suffixes, too many. */
import type { Behaviours } from './behaviour.js';
import { answer, page, pageOf, pageWith, rawThenClose } from './reply.js';

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
