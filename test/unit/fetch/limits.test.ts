/** Time limits and aborts. */
import { createServer as createNet } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { fetchError } from '../../../src/fetch/failure-policy.js';
import { httpServer, listen, openFetcher, rawServer, request, until } from './servers.js';

describe('time limits', () => {
  it('end a connection that is never answered', async () => {
    const server = createNet((socket) => socket.resume());
    const { port, connections } = await listen(server);
    const tls = request(`https://127.0.0.1:${port}/`, { connectTimeoutMs: 50 });
    await expect(openFetcher().fetch(tls)).rejects.toMatchObject({
      code: 'FETCH_CONNECT_TIMEOUT',
      details: { option: 'connectTimeoutMs', limitMs: 50 },
    });
    await until(() => connections.size === 0);
  });

  it('end a look-up that is never answered', async () => {
    const fetcher = openFetcher({ resolve: () => new Promise(() => {}) });
    await expect(
      fetcher.fetch(request('http://a.test/', { connectTimeoutMs: 20 })),
    ).rejects.toMatchObject({ code: 'FETCH_DNS_FAILED', retryable: true });
  });

  it('end a head that drips', async () => {
    const { url, connections } = await rawServer((socket) => {
      const drip = setInterval(() => socket.write('x'), 5);
      socket.write('HTTP/1.1 200 OK\r\nX: ');
      socket.on('close', () => clearInterval(drip));
    });
    await expect(
      openFetcher().fetch(request(url, { headersTimeoutMs: 100 })),
    ).rejects.toMatchObject({ code: 'FETCH_HEADERS_TIMEOUT' });
    await until(() => connections.size === 0);
  });

  it('end a body that falls silent after a burst', async () => {
    const { url, connections } = await httpServer((_req, res) => {
      res.writeHead(200, { 'content-encoding': 'gzip' });
      res.write(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]));
    });
    await expect(openFetcher().fetch(request(url, { bodyTimeoutMs: 50 }))).rejects.toMatchObject({
      code: 'FETCH_BODY_TIMEOUT',
    });
    await until(() => connections.size === 0);
  });

  it('end a body that drips for ever', async () => {
    const { url, connections } = await httpServer((_req, res) => {
      const drip = setInterval(() => res.write('x'), 5);
      res.on('close', () => clearInterval(drip));
    });
    const limits = { bodyTimeoutMs: 10_000, totalTimeoutMs: 100 };
    await expect(openFetcher().fetch(request(url, limits))).rejects.toMatchObject({
      code: 'FETCH_TOTAL_TIMEOUT',
    });
    await until(() => connections.size === 0);
  });

  it('above what a timer holds do not fire at once', async () => {
    const { url } = await httpServer((_req, res) => res.end('ok'));
    const limits = { headersTimeoutMs: 2 ** 40, bodyTimeoutMs: 2 ** 40, totalTimeoutMs: 2 ** 40 };
    expect((await openFetcher().fetch(request(url, limits))).status).toBe(200);
  });
});

describe('an abort', () => {
  it('before the start sends nothing', async () => {
    const { url, accepted } = await httpServer((_req, res) => res.end());
    const signal = AbortSignal.abort(new Error('shutdown'));
    await expect(openFetcher().fetch(request(url, {}, { signal }))).rejects.toMatchObject({
      code: 'FETCH_ABORTED',
    });
    expect(accepted()).toBe(0);
  });

  it('while connecting ends at once and leaves no socket', async () => {
    const { port, connections } = await listen(createNet((socket) => socket.resume()));
    const abort = new AbortController();
    const fetching = openFetcher().fetch(
      request(`https://127.0.0.1:${port}/`, {}, { signal: abort.signal }),
    );
    const failed = expect(fetching).rejects.toMatchObject({ code: 'FETCH_ABORTED' });
    await until(() => connections.size === 1);
    abort.abort(new Error('shutdown'));
    await failed;
    await until(() => connections.size === 0);
  });

  it('within a body closes the connection and gives the signal’s own reason', async () => {
    const abort = new AbortController();
    const { url, connections } = await httpServer((_req, res) => {
      res.write('half', () => abort.abort(fetchError('FETCH_GATE_LOST', 'the gate was lost')));
    });
    await expect(
      openFetcher().fetch(request(url, {}, { signal: abort.signal })),
    ).rejects.toMatchObject({ code: 'FETCH_GATE_LOST' });
    await until(() => connections.size === 0);
  });

  it('of one fetch leaves another of the same origin alone', async () => {
    const abort = new AbortController();
    const { url } = await httpServer((req, res) => {
      if (req.url === '/slow') res.write('half', () => abort.abort());
      else res.end('ok');
    });
    const fetcher = openFetcher();
    const slow = fetcher.fetch(request(`${url}/slow`, {}, { signal: abort.signal }));
    const other = fetcher.fetch(request(`${url}/other`));
    await expect(slow).rejects.toMatchObject({ code: 'FETCH_ABORTED' });
    expect((await other).body.toString()).toBe('ok');
  });

  it('or an end leaves no listener on a long-lived signal', async () => {
    const { url } = await httpServer((_req, res) => res.end('ok'));
    const abort = new AbortController();
    const added = vi.spyOn(abort.signal, 'addEventListener');
    const removed = vi.spyOn(abort.signal, 'removeEventListener');
    const fetcher = openFetcher();
    for (let n = 0; n < 5; n += 1) {
      await fetcher.fetch(request(url, {}, { signal: abort.signal }));
    }
    expect(added).toHaveBeenCalled();
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });
});
