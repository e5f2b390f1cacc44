/** Redirects: chains, loops, odd targets, odd bodies, what must not go along. */
import type { Behaviours } from './behaviour.js';
import { answer, endless, page, pageWith, raw, rawThenClose, redirect, status } from './reply.js';

/** Redirects in a row that are followed (docs/fetching.md). */
const MAX_REDIRECTS = 10;

/** `<prefix>0` … `<prefix>n`: n redirects, then a page. */
const chain = (prefix: string, length: number) =>
  Object.fromEntries(
    Array.from({ length: length + 1 }, (_, n) => [
      `${prefix}${n}`,
      n < length ? redirect(`${prefix}${n + 1}`) : page(),
    ]),
  );

const refreshTo = (path: string) =>
  pageWith({}, `<!doctype html><meta http-equiv=refresh content="0;url=${path}">`);

export const redirects: Behaviours = {
  'redirect-loop-growing-query': {
    routes: {
      '*': (request) => {
        const n = Number(new URL(request.path, 'http://x').searchParams.get('n'));
        redirect(`/g?n=${n + 1}`)(request);
      },
    },
  },
  'redirect-limit-exact': {
    routes: { ...chain('/just/', MAX_REDIRECTS), ...chain('/over/', MAX_REDIRECTS + 1) },
  },
  'redirect-to-self-sets-cookie': {
    routes: {
      '/c': (request) =>
        request.headers['cookie']?.includes('ok=1')
          ? page('/behind-cookie')(request)
          : redirect('/c', { headers: { 'Set-Cookie': 'ok=1; Path=/' } })(request),
    },
  },
  'redirect-to-self-for-ever': {
    routes: {
      '*': (request) =>
        redirect(request.path, { headers: { 'Set-Cookie': `n=${request.times}; Path=/` } })(
          request,
        ),
    },
  },
  'redirect-cookie-wall': {
    routes: {
      '/page': (request) =>
        request.headers['cookie']?.includes('pass=1')
          ? page('/behind', '/page')(request)
          : redirect('/wall?to=/page')(request),
      '/wall?to=/page': redirect('/page', { headers: { 'Set-Cookie': 'pass=1; Path=/' } }),
    },
  },
  'redirect-cookie-wall-for-ever': {
    routes: {
      '/page': redirect('/wall'),
      '/wall': redirect('/page', { headers: { 'Set-Cookie': 'pass=1; Path=/' } }),
    },
  },
  'redirect-ping-pong': { routes: { '/ping': redirect('/pong'), '/pong': redirect('/ping') } },
  'redirect-fan': {
    routes: {
      '/': page(...Array.from({ length: 30 }, (_, n) => `/out${n}`)),
      '/target': page(),
      '*': redirect('/target'),
    },
  },
  'redirect-to-visited': {
    routes: { '/': page('/target'), '/x': redirect('/target'), '/y': redirect('/target') },
  },
  'redirect-target-retry': {
    routes: {
      '/r': redirect('/t'),
      '/t': (request) => (request.times === 1 ? status(503) : page())(request),
    },
  },
  'redirect-other-host-in-scope-robots': {
    routes: {
      '/robots.txt': (request) =>
        request.host.startsWith('b.')
          ? answer({
              headers: { 'Content-Type': 'text/plain' },
              body: 'User-agent: *\nDisallow: /page\n',
            })(request)
          : status(404)(request),
      '/go': (request) => redirect(`http://b.${request.host}/page`)(request),
    },
  },
  'redirect-drops-credentials': {
    routes: {
      '/auth': (request) =>
        redirect(`http://user:secret@b.${request.host}/steal`, {
          headers: { 'Set-Cookie': 'sid=secret; Path=/' },
        })(request),
    },
  },
  'redirect-location-raw-utf8': {
    routes: { '/start': redirect('/\xec\x95\x88\xeb\x85\x95') },
  },
  'redirect-location-latin1-byte': { routes: { '/start': redirect('/caf\xe9') } },
  'redirect-location-relative': {
    routes: {
      '/dir/x': redirect('y', { status: 301 }),
      '/dir/y?1': redirect('?2'),
      '/dir/z': (request) => redirect(`//${request.host}/w`)(request),
      '/dir/up': redirect('../up'),
    },
  },
  'redirect-to-file-and-data': {
    routes: {
      '/file': redirect('file:///etc/hostname'),
      '/data': redirect('data:text/html,x'),
      '/script': redirect('javascript:alert(1)'),
      '/ftp': redirect('ftp://a/'),
      '/mail': redirect('mailto:a@b.test'),
    },
  },
  'redirect-without-target': {
    routes: {
      '/none': status(302),
      '/empty': redirect(''),
      '/bad': redirect('http://['),
    },
  },
  'redirect-with-broken-body': {
    routes: {
      '/start': rawThenClose(
        'HTTP/1.1 302 Found\r\nLocation: /ok\r\nTransfer-Encoding: chunked\r\n\r\nNot a valid chunk.',
      ),
      '/short': rawThenClose('HTTP/1.1 302 Found\r\nLocation: /ok2\r\nContent-Length: 50\r\n\r\nx'),
      '/coded': raw(
        'HTTP/1.1 302 Found\r\nLocation: /ok3\r\nContent-Encoding: foo\r\nContent-Length: 1\r\n\r\nx',
      ),
    },
  },
  'redirect-with-huge-body': {
    routes: {
      '/start': endless('HTTP/1.1 302 Found\r\nLocation: /ok\r\n\r\n', () =>
        Buffer.alloc(16_384, 'x'),
      ),
    },
  },
  'redirect-307-308-303': {
    routes: Object.fromEntries(
      [301, 302, 303, 307, 308].map((code) => [
        `/from/${code}`,
        redirect(`/to/${code}`, { status: code }),
      ]),
    ),
  },
  'redirect-fragment': {
    routes: { '/one': redirect('/p#section'), '/two': redirect('/p#other') },
  },
  'redirect-to-slash': { routes: { '/docs': redirect('/docs/'), '/docs/': page('page') } },
  'meta-refresh-loop': { routes: { '/m1': refreshTo('/m2'), '/m2': refreshTo('/m1') } },
};
