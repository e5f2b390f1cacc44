/** Names, addresses, the guard, host maps, TLS and HTTP/2. */
import { createSecureServer } from 'node:http2';
import type { ServerHttp2Stream } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { connect, createServer as createNet } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ResolveHost } from '../../../src/fetch/resolve-host.js';
import { httpServer, listen, openFetcher, request, until } from './servers.js';
import { A_CERT, A_KEY, OTHER_CERT, OTHER_KEY, TEST_CA } from './tls-fixtures.js';

const at =
  (...addresses: string[]): ResolveHost =>
  () =>
    Promise.resolve(
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
const GUARDED = { allowPrivate: false };

describe('the address guard', () => {
  it.each(['127.0.0.1', '0.0.0.0', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1'])(
    'refuses a name at %s without connecting',
    async (address) => {
      const fetcher = openFetcher({ resolve: at(address) });
      await expect(fetcher.fetch(request('http://a.test/', GUARDED))).rejects.toMatchObject({
        code: 'FETCH_PRIVATE_ADDRESS',
        retryable: false,
        details: { host: 'a.test', address },
      });
    },
  );

  it.each(['127.0.0.1', '0x7f.1', '2130706433', '017700000001', '[::1]', '[::ffff:7f00:1]', '0'])(
    'refuses the literal %s',
    async (host) => {
      const { port, accepted } = await httpServer((_req, res) => res.end());
      await expect(
        openFetcher().fetch(request(`http://${host}:${port}/`, GUARDED)),
      ).rejects.toMatchObject({ code: 'FETCH_PRIVATE_ADDRESS' });
      expect(accepted()).toBe(0);
    },
  );

  it('lets all pass where allowPrivate is set', async () => {
    const { port } = await httpServer((_req, res) => res.end('ok'));
    const response = await openFetcher({ resolve: at('127.0.0.1') }).fetch(
      request(`http://a.test:${port}/`),
    );
    expect(response).toMatchObject({ status: 200, remoteAddress: '127.0.0.1', httpVersion: '1.1' });
  });
});

describe('names', () => {
  it('try the next address when the first is dead', async () => {
    const { port } = await httpServer((_req, res) => res.end('ok'));
    const fetcher = openFetcher({ resolve: at('127.0.0.2', '127.0.0.1') });
    const response = await fetcher.fetch(request(`http://a.test:${port}/`));
    expect(response.remoteAddress).toBe('127.0.0.1');
  });

  it.each([
    ['ENOTFOUND', 'FETCH_DNS_NOT_FOUND'],
    ['ESERVFAIL', 'FETCH_DNS_FAILED'],
    ['EAI_AGAIN', 'FETCH_DNS_FAILED'],
  ])('that end in %s are %s', async (code, expected) => {
    const resolve: ResolveHost = () =>
      Promise.reject(Object.assign(new Error(`query ${code}`), { code, syscall: 'queryA' }));
    await expect(openFetcher({ resolve }).fetch(request('http://a.test/'))).rejects.toMatchObject({
      code: expected,
    });
  });

  it('without any address do not exist', async () => {
    await expect(
      openFetcher({ resolve: at() }).fetch(request('http://a.test/')),
    ).rejects.toMatchObject({ code: 'FETCH_DNS_NOT_FOUND' });
  });

  it('of this machine are found by the system’s own means', async () => {
    const { port } = await httpServer((_req, res) => res.end('ok'));
    const response = await openFetcher().fetch(request(`http://localhost:${port}/`));
    expect(response.status).toBe(200);
  });
});

describe('mapHosts', () => {
  it('moves the connection, not the host, and is exempt from the guard', async () => {
    const { port } = await httpServer((req, res) => res.end(req.headers.host));
    const resolve: ResolveHost = () => Promise.reject(new Error('must not be asked'));
    const mapHosts = [{ pattern: '*.test', address: '127.0.0.1', port }];
    const response = await openFetcher({ resolve }).fetch(
      request('http://b.test/', { ...GUARDED, mapHosts }),
    );
    expect(response.body.toString()).toBe('b.test');
    expect(response.url).toBe('http://b.test/');
  });

  it('keeps the URL’s port where the rule has none', async () => {
    const { port } = await httpServer((req, res) => res.end(req.headers.host));
    const mapHosts = [{ pattern: '*', address: '127.0.0.1', port: null }];
    const response = await openFetcher().fetch(request(`http://c.test:${port}/`, { mapHosts }));
    expect(response.body.toString()).toBe(`c.test:${port}`);
  });

  it('exempts only what it names', async () => {
    const mapHosts = [{ pattern: 'a.test', address: '127.0.0.1', port: null }];
    await expect(
      openFetcher().fetch(request('http://127.0.0.1:9/', { ...GUARDED, mapHosts })),
    ).rejects.toMatchObject({ code: 'FETCH_PRIVATE_ADDRESS' });
  });
});

describe('TLS', () => {
  const serve = async (cert = A_CERT, key = A_KEY) => {
    const server = createHttps({ cert, key }, (req, res) => {
      res.end(`${(req.socket as TLSSocket).servername || 'none'} ${req.headers.host}`);
    });
    const { port } = await listen(server);
    return [{ pattern: '*.test', address: '127.0.0.1', port }];
  };

  it('sends SNI and checks the certificate for the URL’s host, also when mapped', async () => {
    const mapHosts = await serve();
    const response = await openFetcher({ extraCa: TEST_CA }).fetch(
      request('https://a.test/', { mapHosts }),
    );
    expect(response.body.toString()).toBe('a.test a.test');
  });

  it('refuses a certificate for another host, naming both', async () => {
    const mapHosts = await serve(OTHER_CERT, OTHER_KEY);
    await expect(
      openFetcher({ extraCa: TEST_CA }).fetch(request('https://a.test/', { mapHosts })),
    ).rejects.toMatchObject({
      code: 'FETCH_TLS',
      message: expect.stringMatching(/a\.test.*other\.test/s) as string,
    });
  });

  it('refuses an authority that nobody trusts', async () => {
    const mapHosts = await serve();
    await expect(
      openFetcher().fetch(request('https://a.test/', { mapHosts })),
    ).rejects.toMatchObject({ code: 'FETCH_TLS' });
  });

  it('on a plain port, and plain on a TLS port, end in clean errors', async () => {
    const plain = await httpServer((_req, res) => res.end());
    await expect(
      openFetcher().fetch(request(`https://127.0.0.1:${plain.port}/`)),
    ).rejects.toMatchObject({ code: 'FETCH_TLS' });
    const [rule] = await serve();
    await expect(
      openFetcher().fetch(request(`http://127.0.0.1:${rule?.port}/`)),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^FETCH_(PROTOCOL|RESET)$/) as string });
  });
});

describe('HTTP/2', () => {
  const serve = async (answer: (stream: ServerHttp2Stream, path: string) => void) => {
    const server = createSecureServer({ cert: A_CERT, key: A_KEY });
    server.on('stream', (stream, headers) => {
      stream.on('error', () => {});
      answer(stream, headers[':path'] ?? '');
    });
    server.on('sessionError', () => {});
    const inner = await listen(server);
    // What the client closes is seen on a plain connection in front: Node's HTTP/2 server does not
    // always notice while it has something to send.
    const front = createNet((socket) => {
      const onward = connect(inner.port, '127.0.0.1').on('error', () => {});
      socket.pipe(onward).pipe(socket);
      socket.on('close', () => onward.destroy());
      onward.on('close', () => socket.end());
    });
    const { port, connections, accepted } = await listen(front);
    const mapHosts = [{ pattern: 'a.test', address: '127.0.0.1', port }];
    return {
      connections,
      accepted,
      ask: (path: string, more: object = {}) =>
        request(`https://a.test${path}`, { mapHosts, ...more }),
    };
  };

  it('is used where offered, over one connection', async () => {
    const { ask, accepted } = await serve((stream, path) => {
      stream.respond({ ':status': 200, 'content-encoding': 'gzip', 'set-cookie': ['a=1', 'b=2'] });
      stream.end(gzipSync(`page ${path}`));
    });
    const fetcher = openFetcher({ extraCa: TEST_CA });
    const response = await fetcher.fetch(ask('/1?x'));
    expect(response).toMatchObject({ httpVersion: '2', remoteAddress: '127.0.0.1' });
    expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(response.body.toString()).toBe('page /1?x');
    expect((await fetcher.fetch(ask('/2'))).body.toString()).toBe('page /2');
    expect(accepted()).toBe(1);
  });

  it('reads raw UTF-8 in Location too', async () => {
    const { ask } = await serve((stream) => {
      stream.respond({ ':status': 302, location: '/\xec\x95\x88' });
      stream.end();
    });
    const response = await openFetcher({ extraCa: TEST_CA }).fetch(ask('/'));
    expect(response.location).toBe('https://a.test/%EC%95%88');
  });

  it.each([
    ['a reset stream', (stream: ServerHttp2Stream) => stream.close(2)],
    ['a cancelled stream', (stream: ServerHttp2Stream) => stream.close(8)],
    ['a closed session', (stream: ServerHttp2Stream) => stream.session?.destroy()],
  ])('takes %s within a body for a cut', async (_name, cut) => {
    const { ask } = await serve((stream) => {
      stream.respond({ ':status': 200, 'content-length': '1000' });
      stream.write('half', () => setImmediate(() => cut(stream)));
    });
    await expect(openFetcher({ extraCa: TEST_CA }).fetch(ask('/'))).rejects.toMatchObject({
      code: 'FETCH_BODY_TRUNCATED',
    });
  });

  it('takes a cancelled stream of compressed data for a cut, also without a length', async () => {
    const { ask } = await serve((stream) => {
      stream.respond({ ':status': 200, 'content-encoding': 'gzip' });
      const body = gzipSync('a page');
      stream.write(body.subarray(0, 15), () => setImmediate(() => stream.destroy()));
    });
    await expect(openFetcher({ extraCa: TEST_CA }).fetch(ask('/'))).rejects.toMatchObject({
      code: 'FETCH_BODY_TRUNCATED',
    });
  });

  it('obeys the limits of time and size', async () => {
    const { ask, connections } = await serve((stream, path) => {
      if (path === '/silent') return;
      stream.respond({ ':status': 200 });
      if (path === '/endless') {
        const write = (): void => {
          while (!stream.destroyed && stream.write(Buffer.alloc(50_000)));
        };
        stream.on('drain', write);
        write();
      } else stream.write('half');
    });
    const fetcher = openFetcher({ extraCa: TEST_CA });
    await expect(fetcher.fetch(ask('/silent', { headersTimeoutMs: 50 }))).rejects.toMatchObject({
      code: 'FETCH_HEADERS_TIMEOUT',
    });
    await expect(fetcher.fetch(ask('/half', { bodyTimeoutMs: 50 }))).rejects.toMatchObject({
      code: 'FETCH_BODY_TIMEOUT',
    });
    await expect(fetcher.fetch(ask('/endless'))).rejects.toMatchObject({
      code: 'FETCH_BODY_TOO_LARGE',
    });
    await until(() => connections.size === 0);
  });

  it('survives a session that the server ended while idle', async () => {
    let session: ServerHttp2Stream['session'];
    const { ask, connections } = await serve((stream) => {
      ({ session } = stream);
      stream.respond({ ':status': 200 });
      stream.end('ok');
    });
    const fetcher = openFetcher({ extraCa: TEST_CA });
    await fetcher.fetch(ask('/1'));
    session?.destroy();
    await until(() => connections.size === 0);
    expect((await fetcher.fetch(ask('/2'))).body.toString()).toBe('ok');
  });
});
