/** What arrives of a response's body: encodings, limits, cuts. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { httpServer, openFetcher, rawServer, request, until } from './servers.js';

const { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } = zlib;

const PAGE = `<!doctype html><title>t</title>${'<p>some words of a page</p>'.repeat(200)}`;

/** Fetches a body that is sent with the given Content-Encoding. */
async function fetchEncoded(body: Buffer, encoding: string, maxBytes = 1_000_000) {
  const { url } = await httpServer((_req, res) => {
    res.setHeader('content-type', 'text/html').setHeader('content-encoding', encoding);
    res.end(body);
  });
  return openFetcher().fetch(request(url, { maxBytes }));
}

const hasZstd = 'createZstdDecompress' in zlib;

describe('content codings', () => {
  const gzip = gzipSync(PAGE);
  it.each([
    ['gzip', gzip],
    ['x-gzip', gzip],
    ['GZIP', gzip],
    ['deflate', deflateSync(PAGE)],
    ['deflate', deflateRawSync(PAGE)],
    ['br', brotliCompressSync(PAGE)],
    ['identity', Buffer.from(PAGE)],
    ['utf-8', Buffer.from(PAGE)],
    ['gzip, gzip', gzipSync(gzip)],
    ['deflate, br', brotliCompressSync(deflateSync(PAGE))],
  ])('undoes %s', async (encoding, body) => {
    const response = await fetchEncoded(body, encoding);
    expect(response.body.toString()).toBe(PAGE);
    expect(response).toMatchObject({ truncated: false, wireBytes: body.length });
  });

  it('undoes gzip of several members', async () => {
    const body = Buffer.concat([gzipSync('one '), gzipSync('two '), gzipSync('three')]);
    expect((await fetchEncoded(body, 'gzip')).body.toString()).toBe('one two three');
  });

  it.each(['gzip', 'gzip, br', 'gzip, gzip, gzip'])(
    'takes plain content that is called %s as far as it can',
    async (encoding) => {
      const outcome = await fetchEncoded(Buffer.from(PAGE), encoding).then(
        (response) => response.body.toString(),
        (error: { code: string }) => error.code,
      );
      expect(outcome).toBe(encoding.endsWith('gzip') ? PAGE : 'FETCH_BAD_ENCODING');
    },
  );

  it('takes one byte called gzip as it is', async () => {
    expect((await fetchEncoded(Buffer.from('x'), 'gzip')).body.toString()).toBe('x');
  });

  it('takes nothing called gzip as nothing', async () => {
    expect((await fetchEncoded(Buffer.alloc(0), 'gzip')).body.length).toBe(0);
  });

  it.each([1, 4, 8])(
    'keeps gzip whose last %i bytes, checksum or length, are missing',
    async (n) => {
      expect((await fetchEncoded(gzip.subarray(0, -n), 'gzip')).body.toString()).toBe(PAGE);
    },
  );

  it('keeps gzip that is padded with zeros', async () => {
    const padded = Buffer.concat([gzip, Buffer.alloc(100)]);
    expect((await fetchEncoded(padded, 'gzip')).body.toString()).toBe(PAGE);
  });

  it.each([9, 10, 20, Math.floor(gzip.length / 2), gzip.length - 4])(
    'reports gzip without its last %i bytes as cut short',
    async (missing) => {
      await expect(fetchEncoded(gzip.subarray(0, -missing), 'gzip')).rejects.toMatchObject({
        code: 'FETCH_BODY_TRUNCATED',
        retryable: true,
      });
    },
  );

  it('reports cut br and deflate as cut short', async () => {
    for (const [encoding, body] of [
      ['br', brotliCompressSync(PAGE)],
      ['deflate', deflateSync(PAGE)],
    ] as const) {
      const half = body.subarray(0, body.length / 2);
      await expect(fetchEncoded(half, encoding)).rejects.toMatchObject({
        code: 'FETCH_BODY_TRUNCATED',
      });
    }
  });

  it('reports damage within as undecodable', async () => {
    const damaged = Buffer.from(gzip);
    damaged[damaged.length - 6] = (damaged[damaged.length - 6] ?? 0) ^ 0xff;
    await expect(fetchEncoded(damaged, 'gzip')).rejects.toMatchObject({
      code: 'FETCH_BAD_ENCODING',
      retryable: false,
    });
  });

  it.each(['foo', Array.from({ length: 50 }, () => 'gzip').join(', '), 'gzip, foo'])(
    'refuses %s by name',
    async (encoding) => {
      await expect(fetchEncoded(gzip, encoding)).rejects.toMatchObject({
        code: 'FETCH_BAD_ENCODING',
      });
    },
  );

  it('offers zstd exactly where it can undo it', async () => {
    const { url, server } = await httpServer((_req, res) => res.end());
    const seen = once(server, 'request');
    await openFetcher().fetch(request(url));
    const [{ headers }] = (await seen) as [{ headers: Record<string, string> }];
    const offered = headers['accept-encoding']?.split(', ');
    expect(offered?.slice(0, 3)).toEqual(['gzip', 'deflate', 'br']);
    expect(offered?.includes('zstd')).toBe(hasZstd);
  });
});

describe('the size limit', () => {
  it.each([
    ['gzip', gzipSync(Buffer.alloc(200_000_000))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(200_000_000)))],
  ])('stops a bomb of %s at maxBytes', async (encoding, bomb) => {
    await expect(fetchEncoded(bomb, encoding, 100_000)).rejects.toMatchObject({
      code: 'FETCH_BODY_TOO_LARGE',
      retryable: false,
      details: { maxBytes: 100_000 },
    });
  });

  it('admits a body of exactly maxBytes and refuses one byte more', async () => {
    const { url } = await httpServer((req, res) => {
      const body = Buffer.alloc(Number(req.url?.slice(1)), 'x');
      res.write(body.subarray(0, 10));
      res.end(body.subarray(10));
    });
    const fetcher = openFetcher();
    expect((await fetcher.fetch(request(`${url}/5000`, { maxBytes: 5_000 }))).body).toHaveLength(
      5_000,
    );
    await expect(fetcher.fetch(request(`${url}/5001`, { maxBytes: 5_000 }))).rejects.toMatchObject({
      code: 'FETCH_BODY_TOO_LARGE',
    });
  });

  it('refuses a large Content-Length from the head, without reading', async () => {
    let sent = 0;
    const { url } = await httpServer((_req, res) => {
      res.writeHead(200, { 'content-length': 50_000_000 });
      res.on('drain', () => (sent += 1)).write(Buffer.alloc(1_000));
    });
    await expect(openFetcher().fetch(request(url, { maxBytes: 10_000 }))).rejects.toMatchObject({
      code: 'FETCH_BODY_TOO_LARGE',
    });
    expect(sent).toBe(0);
  });

  it('truncates instead where asked, plain and encoded', async () => {
    const text = 'Disallow: /x\n'.repeat(1_000);
    const { url } = await httpServer((req, res) => {
      const isGzip = req.url === '/gzip';
      if (isGzip) res.setHeader('content-encoding', 'gzip');
      res.end(isGzip ? gzipSync(text) : text);
    });
    for (const path of ['/plain', '/gzip']) {
      const more = { maxBytes: 500, onTooLarge: 'truncate' as const };
      const response = await openFetcher().fetch(request(url + path, {}, more));
      expect(response.body.toString()).toBe(text.slice(0, 500));
      expect(response.truncated).toBe(true);
    }
  });

  it('ends an endless body, and the server sees the connection close', async () => {
    const { url, connections } = await httpServer((_req, res) => {
      const write = (): void => {
        while (!res.destroyed && res.write('<a href=/n>n</a>'.repeat(500)));
      };
      res.on('drain', write);
      write();
    });
    await expect(openFetcher().fetch(request(url))).rejects.toMatchObject({
      code: 'FETCH_BODY_TOO_LARGE',
    });
    await until(() => connections.size === 0);
  });

  it('ends an endless encoded body that decodes to nothing', async () => {
    const empty = gzipSync('');
    const { url } = await httpServer((_req, res) => {
      res.setHeader('content-encoding', 'gzip');
      const many = Buffer.concat(Array.from({ length: 500 }, () => empty));
      const write = (): void => {
        while (!res.destroyed && res.write(many));
      };
      res.on('drain', write);
      write();
    });
    await expect(openFetcher().fetch(request(url, { maxBytes: 50_000 }))).rejects.toMatchObject({
      code: 'FETCH_BODY_TOO_LARGE',
    });
  });
});

describe('a body that ends early', () => {
  const CUT = {
    'against Content-Length': 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this',
    'against Content-Length with Connection: close':
      'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 100\r\n\r\nonly this',
    'in the middle of a chunk':
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n9\r\nwor',
    'without the last chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
  };
  it.each(Object.entries(CUT))('%s is cut short', async (_name, bytes) => {
    const { url } = await rawServer((socket) => socket.end(bytes));
    await expect(openFetcher().fetch(request(url))).rejects.toMatchObject({
      code: 'FETCH_BODY_TRUNCATED',
      retryable: true,
    });
  });

  it('by a reset is cut short, not stored, and asked for once', async () => {
    const { url, accepted } = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', () =>
        socket.resetAndDestroy(),
      );
    });
    // The reset may overtake the first bytes.
    await expect(openFetcher().fetch(request(url))).rejects.toMatchObject({
      code: expect.stringMatching(/^FETCH_(BODY_TRUNCATED|RESET)$/) as string,
    });
    expect(accepted()).toBe(1);
  });

  it('by a reset is cut short also where no length was named', async () => {
    const { url } = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nhalf', () =>
        setTimeout(() => socket.resetAndDestroy(), 50),
      );
    });
    await expect(openFetcher().fetch(request(url))).rejects.toMatchObject({
      code: 'FETCH_BODY_TRUNCATED',
    });
  });

  it('matters little where the status is a failure', async () => {
    const { url } = await rawServer((socket) =>
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 100\r\n\r\nhalf'),
    );
    const response = await openFetcher().fetch(request(url));
    expect(response).toMatchObject({ status: 404, truncated: true });
    expect(response.body.toString()).toBe('half');
  });

  it('is whole where only the connection’s end marks it', async () => {
    const { url } = await rawServer((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nall of it'));
    const response = await openFetcher().fetch(request(url));
    expect(response.body.toString()).toBe('all of it');
    expect(response.truncated).toBe(false);
  });
});

describe('a server that sends faster than a body is decoded', () => {
  // Random bytes don't shrink: the sizes are those on the wire, in pieces of 64 KiB.
  it.each([60_000, 130_000, 200_000, 260_000, 400_000, 800_000])(
    'and closes after %i bytes ends nothing but its response',
    async (size) => {
      const plain = randomBytes(size);
      const body = gzipSync(plain);
      const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
      const { url } = await rawServer((socket) =>
        socket.end(Buffer.concat([Buffer.from(head), body])),
      );
      const response = await openFetcher().fetch(request(url));
      expect(response.body.equals(plain)).toBe(true);
      expect(response).toMatchObject({ truncated: false, wireBytes: body.length });
    },
  );
});

describe('a body that is not wanted', () => {
  it('is left unread', async () => {
    const { url, connections } = await httpServer((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/pdf', 'content-length': 50_000_000 });
      const write = (): void => {
        while (!res.destroyed && res.write(Buffer.alloc(50_000)));
      };
      res.on('drain', write);
      write();
    });
    const wantsBody = (head: { contentType: string | null }) => head.contentType === 'text/html';
    const response = await openFetcher().fetch(request(url, {}, { wantsBody }));
    expect(response).toMatchObject({ status: 200, bodyRead: false, truncated: false });
    expect(response.wireBytes).toBeLessThan(1_000_000);
    await until(() => connections.size === 0);
  });
});

describe('a drip of tiny chunks', () => {
  it('is decoded whole', async () => {
    const body = gzipSync(Buffer.concat([randomBytes(100_000), Buffer.from(PAGE)]));
    const chunks = [...body].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]));
    const { url } = await rawServer((socket) => {
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      socket.end(Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]));
    });
    const response = await openFetcher().fetch(request(url));
    expect(response.body.subarray(100_000).toString()).toBe(PAGE);
  });

  it('is collected in bounded memory', async () => {
    const count = 300_000;
    const { url } = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      socket.end(`${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`);
    });
    const response = await openFetcher().fetch(request(url));
    expect(response.body).toHaveLength(count);
  });
});
