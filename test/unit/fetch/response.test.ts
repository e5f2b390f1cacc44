/** Heads and redirects. */
import { describe, expect, it } from 'vitest';
import { cannedServer, httpServer, openFetcher, rawServer, request, until } from './servers.js';

describe('the response head', () => {
  it('keeps every value of a field, lower-cases names, reads raw UTF-8', async () => {
    const { url } = await cannedServer(
      'HTTP/1.1 200 OK\r\nLink: </a>; rel=next\r\nLINK: </b>; rel=prev\r\n' +
        'X-Name: \xc3\xa9\r\n__proto__: x\r\nContent-Length: 2\r\n\r\nok',
    );
    const { headers } = await openFetcher().fetch(request(url));
    expect(headers['link']).toEqual(['</a>; rel=next', '</b>; rel=prev']);
    expect(headers['x-name']).toEqual(['é']);
    expect(Object.keys(headers)).toContain('__proto__');
  });

  it.each([
    ['Content-Type: text/plain\r\nContent-Type: text/html\r\n', 'text/html'],
    [
      'Content-Type: TEXT/HTML; charset="utf-8"\r\nContent-Type: nonsense\r\n',
      'TEXT/HTML; charset="utf-8"',
    ],
    ['Content-Type: \r\n', null],
    ['', null],
  ])('%j has the content type %j', async (lines, expected) => {
    const { url } = await cannedServer(`HTTP/1.1 200 OK\r\n${lines}Content-Length: 1\r\n\r\nx`);
    expect((await openFetcher().fetch(request(url))).contentType).toBe(expected);
  });

  it.each([204, 205, 401, 404, 299, 503, 600, 999])('takes status %i as it is', async (status) => {
    const { url } = await cannedServer(`HTTP/1.1 ${status} Any\r\nContent-Length: 0\r\n\r\n`);
    const response = await openFetcher().fetch(request(url));
    expect(response).toMatchObject({ status, location: null, truncated: false });
    expect(response.body).toHaveLength(0);
  });

  it('takes 20 KB of cookies, refuses endless headers', async () => {
    const cookies = Array.from(
      { length: 20 },
      (_, n) => `Set-Cookie: c${n}=${'x'.repeat(1_000)}\r\n`,
    );
    const many = await cannedServer(
      `HTTP/1.1 200 OK\r\n${cookies.join('')}Content-Length: 2\r\n\r\nok`,
    );
    const endless = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const write = (): void => {
        while (!socket.destroyed && socket.write(`X-More: ${'x'.repeat(1_000)}\r\n`));
      };
      socket.on('drain', write);
      write();
    });
    const fetcher = openFetcher();
    expect((await fetcher.fetch(request(many.url))).headers['set-cookie']).toHaveLength(20);
    await expect(fetcher.fetch(request(endless.url))).rejects.toMatchObject({
      code: 'FETCH_HEADERS_TOO_LARGE',
      retryable: false,
    });
    await until(() => endless.connections.size === 0);
  });

  it.each([
    ['two different lengths', 'Content-Length: 2\r\nContent-Length: 5\r\n\r\nhello'],
    ['a length that is a word', 'Content-Length: thousand\r\n\r\nhello'],
    ['a control byte in a length', 'Content-Length: 2\x07\r\n\r\nok'],
    [
      'chunks and a length',
      'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
  ])('with %s is no valid HTTP', async (_name, rest) => {
    const { url } = await cannedServer(`HTTP/1.1 200 OK\r\n${rest}`);
    await expect(openFetcher().fetch(request(url))).rejects.toMatchObject({
      code: 'FETCH_PROTOCOL',
    });
  });

  it.each([
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'gibberish\r\n\r\n',
  ])('%j is no valid HTTP', async (bytes) => {
    const { url } = await cannedServer(bytes);
    await expect(openFetcher().fetch(request(url))).rejects.toMatchObject({
      code: 'FETCH_PROTOCOL',
    });
  });

  it.each([
    ['an empty line of LF alone', 'Content-Length: 2\n\nok'],
    ['a folded field', 'X-Long: a\r\n  b\r\n\tc\r\nContent-Length: 2\r\n\r\nok'],
    ['a control byte', 'X-Bad: \xff\x07\x00\r\nContent-Length: 2\r\n\r\nok'],
    ['white space before a colon', 'Content-Length : 2\r\n\r\nok'],
    ['the same length twice', 'Content-Length: 2\r\nContent-Length: 2\r\n\r\nok'],
    ['the same length twice in a list', 'Content-Length: 2 ,2\r\n\r\nok'],
  ])('with %s is read all the same', async (_name, rest) => {
    const { url } = await cannedServer(`HTTP/1.1 200 OK\r\n${rest}`);
    expect((await openFetcher().fetch(request(url))).body.toString()).toBe('ok');
  });

  it('may come after any number of 100 Continue, in pieces, and the connection is kept', async () => {
    const { url, accepted } = await rawServer((socket) => {
      const text =
        'HTTP/1.1 100 Continue\r\nX: y\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n' +
        'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
      let at = 0;
      const next = (): void => {
        if (at < text.length) socket.write(text.slice(at, (at += 7)), () => setImmediate(next));
      };
      next();
    });
    const fetcher = openFetcher();
    for (let n = 0; n < 3; n += 1) {
      const response = await fetcher.fetch(request(url));
      expect(response.body.toString()).toBe('ok');
      expect(response.headers['x']).toBeUndefined();
    }
    expect(accepted()).toBe(1);
  });

  it('that never comes after 100 Continue is waited for no longer than any other', async () => {
    const { url, connections } = await rawServer((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    await expect(
      openFetcher().fetch(request(url, { headersTimeoutMs: 100 })),
    ).rejects.toMatchObject({ code: 'FETCH_HEADERS_TIMEOUT' });
    await until(() => connections.size === 0);
  });

  it('that is cut in the middle is a broken connection', async () => {
    const { url } = await cannedServer('HTTP/1.1 200 OK\r\nContent-Le');
    await expect(openFetcher().fetch(request(url))).rejects.toMatchObject({ code: 'FETCH_RESET' });
  });

  it('may be announced by 103', async () => {
    const { url } = await cannedServer(
      'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    );
    const response = await openFetcher().fetch(request(url));
    expect(response.status).toBe(200);
    expect(response.headers['link']).toBeUndefined();
  });
});

describe('a redirect', () => {
  it.each([
    ['/\xec\x95\x88\xeb\x85\x95', '/%EC%95%88%EB%85%95'],
    ['/caf\xe9', '/caf%E9'],
    ['y', '/dir/y'],
    ['?2', '/dir/x?2'],
    ['/p#section', '/p'],
    [' /trimmed ', '/trimmed'],
  ])('to %j leads to %s', async (location, path) => {
    const { url } = await cannedServer(
      `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`,
    );
    expect((await openFetcher().fetch(request(`${url}/dir/x`))).location).toBe(url + path);
  });

  it.each([300, 301, 302, 303, 307, 308, 309, 399])('may have the status %i', async (status) => {
    const { url } = await cannedServer(`HTTP/1.1 ${status} R\r\nLocation: //b.test/w\r\n\r\n`);
    const response = await openFetcher().fetch(request(url));
    expect(response).toMatchObject({ status, location: 'http://b.test/w', bodyRead: false });
  });

  it.each([304, 305, 306])('is no answer with the status %i', async (status) => {
    const { url } = await cannedServer(
      `HTTP/1.1 ${status} R\r\nLocation: //b.test/w\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(await openFetcher().fetch(request(url))).toMatchObject({ status, location: null });
  });

  it.each(['file:///etc/hostname', 'data:text/html,x', 'javascript:alert(1)'])(
    'to %s is told, not followed',
    async (location) => {
      const { url } = await cannedServer(`HTTP/1.1 302 F\r\nLocation: ${location}\r\n\r\n`);
      expect((await openFetcher().fetch(request(url))).location).toBe(location);
    },
  );

  it.each(['', 'Location:\r\n', 'Location: http://[\r\n'])(
    'with %j has no target',
    async (line) => {
      const { url } = await cannedServer(`HTTP/1.1 302 F\r\n${line}Content-Length: 0\r\n\r\n`);
      expect(await openFetcher().fetch(request(url))).toMatchObject({
        status: 302,
        location: null,
      });
    },
  );

  it('counts in spite of a broken body', async () => {
    const { url } = await cannedServer(
      'HTTP/1.1 302 Found\r\nLocation: /ok\r\nTransfer-Encoding: chunked\r\n\r\nNot a valid chunk.',
    );
    expect((await openFetcher().fetch(request(url))).location).toBe(`${url}/ok`);
  });

  it('counts in spite of an endless body, of which little is read', async () => {
    const { url, connections } = await httpServer((_req, res) => {
      res.writeHead(302, { location: '/ok', 'content-encoding': 'gzip' });
      const write = (): void => {
        while (!res.destroyed && res.write(Buffer.alloc(50_000)));
      };
      res.on('drain', write);
      write();
    });
    const response = await openFetcher().fetch(request(url));
    expect(response.location).toBe(`${url}/ok`);
    expect(response.wireBytes).toBeLessThan(1_000_000);
    await until(() => connections.size === 0);
  });

  it('counts in spite of a body that never comes', async () => {
    const { url } = await rawServer((socket) =>
      socket.write('HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 9\r\n\r\n'),
    );
    expect((await openFetcher().fetch(request(url))).location).toBe(`${url}/ok`);
  });
});
