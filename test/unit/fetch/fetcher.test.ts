/** Requests, cookies, connections, closing. */
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { createChainJar } from '../../../src/fetch/cookies.js';
import { httpServer, openFetcher, rawServer, request, SETTINGS, until } from './servers.js';

describe("'status-304-asked': a fetch with the validators of an earlier one", () => {
  it('sends them and gets 304 without a body, over a connection that stays', async () => {
    const { url, accepted } = await httpServer((req, res) => {
      const isKnown = req.headers['if-none-match'] === '"v1"';
      res.writeHead(isKnown ? 304 : 200, { etag: '"v1"', 'content-type': 'text/html' });
      res.end(isKnown ? undefined : 'a page');
    });
    const fetcher = openFetcher();
    const first = await fetcher.fetch(request(url));
    const etag = first.headers['etag']?.[0] ?? '';
    const second = await fetcher.fetch(request(url, {}, { conditional: { etag } }));
    expect([first.status, second.status]).toEqual([200, 304]);
    expect(second.body).toHaveLength(0);
    expect(accepted()).toBe(1);
  });
});

describe('the request', () => {
  it('names engine, contact, wishes and validators, and nothing of the URL’s userinfo', async () => {
    const heads: string[] = [];
    const { port } = await rawServer((socket, head) => {
      heads.push(head);
      socket.end('HTTP/1.1 304 Not Modified\r\n\r\n');
    });
    const conditional = { etag: '"v1"', lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT' };
    const response = await openFetcher().fetch(
      request(`http://user:secret@127.0.0.1:${port}?171#frag`, {}, { conditional }),
    );
    const head = heads[0]?.toLowerCase() ?? '';
    expect(head).toMatch(/^get \/\?171 http\/1\.1\r\n/);
    expect(head).toContain(`host: 127.0.0.1:${port}`);
    expect(head).toContain(`user-agent: ${SETTINGS.userAgent}`);
    expect(head).toContain('if-none-match: "v1"');
    expect(head).toContain('if-modified-since: sun, 06 nov 1994 08:49:37 gmt');
    expect(head).toContain('accept: text/html');
    expect(head).not.toMatch(/secret|authorization|referer|cookie|frag/);
    expect(response).toMatchObject({ status: 304, url: `http://127.0.0.1:${port}/?171` });
  });

  it('leaves out validators that no header may hold', async () => {
    const heads: string[] = [];
    const { url } = await rawServer((socket, head) => {
      heads.push(head);
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    const conditional = { etag: '"a\r\nX-Evil: 1"', lastModified: '' };
    await openFetcher().fetch(request(url, {}, { conditional, accept: 'text/plain' }));
    expect(heads[0]).not.toMatch(/evil|if-/i);
    expect(heads[0]).toMatch(/accept: text\/plain/i);
  });

  it.each([
    ['ftp://a.test/', 'URL_UNSUPPORTED_SCHEME'],
    ['file:///etc/hostname', 'URL_UNSUPPORTED_SCHEME'],
    ['/relative', 'URL_INVALID'],
  ])('%s is refused as %s', async (url, code) => {
    await expect(openFetcher().fetch(request(url))).rejects.toMatchObject({ code });
  });
});

describe('cookies', () => {
  it('set by a redirect come back with the next request of the jar', async () => {
    const { url } = await httpServer((req, res) => {
      if (req.headers.cookie === 'ok=1') res.end('in');
      else res.writeHead(302, { location: '/c', 'set-cookie': 'ok=1; Path=/' }).end();
    });
    const fetcher = openFetcher();
    const cookies = createChainJar();
    const first = await fetcher.fetch(request(`${url}/c`, {}, { cookies }));
    expect(first.location).toBe(`${url}/c`);
    const second = await fetcher.fetch(request(first.location ?? '', {}, { cookies }));
    expect(second.body.toString()).toBe('in');
    expect((await fetcher.fetch(request(`${url}/c`))).status).toBe(302);
  });
});

describe('connections', () => {
  it('are kept and used again', async () => {
    const { url, accepted } = await httpServer((_req, res) => res.end('ok'));
    const fetcher = openFetcher();
    for (let n = 0; n < 3; n += 1) await fetcher.fetch(request(`${url}/${n}`));
    expect(accepted()).toBe(1);
  });

  it('are not shared by crawls with other address rules', async () => {
    const { url, accepted } = await httpServer((_req, res) => res.end('ok'));
    const fetcher = openFetcher();
    await fetcher.fetch(request(url));
    const mapHosts = [{ pattern: 'x.test', address: '127.0.0.1', port: null }];
    await fetcher.fetch(request(url, { mapHosts }));
    expect(accepted()).toBe(2);
  });

  it('closed by the server while idle cost no error, one repeat, and ask the gate', async () => {
    let answered = 0;
    const { url, accepted } = await rawServer((socket) => {
      answered += 1;
      // The second request on the first connection meets a reset instead of an answer.
      if (answered === 2) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const fetcher = openFetcher();
    const beforeRepeat = vi.fn(() => Promise.resolve());
    await fetcher.fetch(request(url, {}, { beforeRepeat }));
    expect(beforeRepeat).not.toHaveBeenCalled();
    const response = await fetcher.fetch(request(url, {}, { beforeRepeat }));
    expect(response.body.toString()).toBe('ok');
    expect(beforeRepeat).toHaveBeenCalledTimes(1);
    expect(accepted()).toBe(2);
  });

  it('that are always reset are tried once when new', async () => {
    const { url, accepted } = await rawServer((socket) => socket.resetAndDestroy());
    await expect(openFetcher().fetch(request(url))).rejects.toMatchObject({
      code: 'FETCH_RESET',
      retryable: true,
    });
    expect(accepted()).toBe(1);
  });

  it('never carry the rest of a longer body into the next response', async () => {
    const { url } = await rawServer((socket, head) => {
      const isFirst = head.startsWith('GET /1');
      const body = isFirst ? 'hello HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil' : 'right';
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n${body}`);
    });
    const fetcher = openFetcher();
    expect((await fetcher.fetch(request(`${url}/1`))).body.toString()).toBe('hello');
    expect((await fetcher.fetch(request(`${url}/2`))).body.toString()).toBe('right');
  });

  it('refused by the host are told as such', async () => {
    const { url, server } = await httpServer(() => {});
    server.close();
    await once(server, 'close');
    await expect(openFetcher().fetch(request(url))).rejects.toMatchObject({
      code: 'FETCH_CONNECT',
      retryable: true,
    });
  });
});

describe('close', () => {
  it('ends running fetches, and later ones before they start', async () => {
    const fetcher = openFetcher();
    const { url, connections } = await httpServer((_req, res) => {
      res.write('half', () => void fetcher.close());
    });
    await expect(fetcher.fetch(request(url))).rejects.toMatchObject({ code: 'FETCH_ABORTED' });
    await until(() => connections.size === 0);
    await expect(fetcher.fetch(request(url))).rejects.toMatchObject({ code: 'FETCH_ABORTED' });
  });
});
