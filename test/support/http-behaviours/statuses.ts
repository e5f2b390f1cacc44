/** Statuses: patience asked for, refusals, empty answers, numbers that are none. */
import type { Behaviours } from './behaviour.js';
import {
  answer,
  page,
  pageOf,
  pageWith,
  raw,
  rawThenClose,
  redirect,
  silence,
  status,
} from './reply.js';

/** Values of Retry-After by the label of the host that sends them. */
const ABSURD: Readonly<Record<string, string>> = {
  year: '31536000',
  minus: '-1',
  word: 'soon',
  float: '1e9',
  overflow: '99999999999999999999',
  timer: '2147484',
  zero: '0',
  past: 'Sun, 06 Nov 1994 08:49:37 GMT',
  future: 'Fri, 31 Dec 9999 23:59:59 GMT',
};

const many = (prefix: string, count: number) =>
  page(...Array.from({ length: count }, (_, n) => `${prefix}${n}`));

const line = (code: string): string =>
  `HTTP/1.1 ${code} Odd\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n`;

export const statuses: Behaviours = {
  'status-503-retry-after-absurd': {
    routes: {
      '*': (request) =>
        status(503, { 'Retry-After': ABSURD[request.host.split('.', 1)[0] ?? ''] ?? '' })(request),
    },
  },
  'status-503-retry-after-short': {
    routes: {
      '/': (request) =>
        (request.times === 1 ? status(503, { 'Retry-After': '1' }) : page())(request),
    },
  },
  'status-429-forever': { routes: { '/': many('/q', 200), '*': status(429) } },
  'status-429-retry-after-zero': {
    routes: { '/': many('/q', 200), '*': status(429, { 'Retry-After': '0' }) },
  },
  'status-403-no-storm': { routes: { '*': status(403), '/': status(403) } },
  'status-204-205': {
    routes: {
      '/': page('/204', '/205', '/204-bare', '/205-bare'),
      '/204': status(204),
      '/205': status(205),
      '/204-bare': raw('HTTP/1.1 204 No Content\r\n\r\n'),
      '/205-bare': rawThenClose('HTTP/1.1 205 Reset Content\r\n\r\n'),
    },
  },
  'status-304-unasked': { routes: { '/': raw('HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n') } },
  'status-206-unasked': {
    routes: {
      '/': pageWith({ 'Content-Range': 'bytes 0-99/500' }, pageOf('/next'), 206),
      '/all': (request) => {
        const body = pageOf('/next');
        const range = `bytes 0-${body.length - 1}/${body.length}`;
        pageWith({ 'Content-Range': range }, body, 206)(request);
      },
    },
  },
  'status-101-unasked': {
    routes: {
      '/': raw(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
      ),
    },
  },
  'status-999-and-000': {
    routes: {
      '/': page('/999', '/299', '/600', '/099', '/000', '/12', '/2000'),
      ...Object.fromEntries(
        ['999', '299', '600', '099', '000', '12', '2000'].map((code) => [
          `/${code}`,
          rawThenClose(line(code)),
        ]),
      ),
    },
  },
  'status-401-www-authenticate-missing': {
    routes: {
      '/': answer({
        status: 401,
        headers: { 'Content-Type': 'text/html' },
        body: 'x'.repeat(3_000_000),
      }),
    },
  },
  'status-404-410': {
    routes: { '/': page('/404', '/410'), '/404': status(404), '/410': status(410) },
  },
  'status-500-once': {
    routes: { '/': (request) => (request.times === 1 ? status(500) : page())(request) },
  },
  'status-500-always': { routes: { '/': status(500) } },
  'status-300-choice': {
    routes: {
      '/': page('/choice', '/preferred', '/unheard-of', '/proxy'),
      '/choice': pageWith({}, pageOf('/one', '/other'), 300),
      '/preferred': redirect('/best', { status: 300 }),
      '/unheard-of': redirect('/newer', { status: 399 }),
      '/proxy': redirect('http://127.0.0.1:9/', { status: 305 }),
    },
  },
  'status-head-405': {
    routes: { '/': page('/next') },
  },
  'status-soft-404': {
    routes: {
      '*': (request) =>
        page(
          ...Array.from({ length: 5 }, (_, n) => `/x${request.times}-${n}${request.path.length}`),
        )(request),
    },
  },
  'status-200-error-page-login': {
    routes: {
      '/': many('/account/', 20),
      '*': (request) =>
        request.path.startsWith('/login')
          ? answer({ headers: { 'Content-Type': 'text/html' }, body: pageOf() })(request)
          : redirect(`/login?next=${encodeURIComponent(request.path)}`)(request),
    },
  },
  'status-robots-silent': { routes: { '/robots.txt': silence } },
};
