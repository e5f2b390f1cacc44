/**
 * Names through a real name server to connections. Public addresses can't be had on loopback, so the
 * last step, the socket's own connect, is turned to a local server where a test says so.
 */
import { readFile } from 'node:fs/promises';
import type { TcpNetConnectOpts } from 'node:net';
import type * as Net from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createResolver } from '../../../src/fetch/resolve-host.js';
import {
  NXDOMAIN,
  SERVFAIL,
  startNameServer,
  TYPE_A,
  type NameReply,
} from '../../support/http-behaviours/name-server.js';
import { httpServer, onCleanup, openFetcher, request } from './servers.js';

const turned = vi.hoisted(() => ({ port: 0, targets: [] as string[] }));

vi.mock('node:net', async (importOriginal) => {
  const net = await importOriginal<typeof Net>();
  const connect = (options: TcpNetConnectOpts): Net.Socket => {
    if (turned.port === 0) return net.connect(options);
    turned.targets.push(options.host ?? '');
    return net.connect({ port: turned.port, host: '127.0.0.1' });
  };
  return { ...net, connect };
});

beforeEach(() => {
  turned.port = 0;
  turned.targets.length = 0;
});

/** A fetcher that asks a name server of this test. */
async function fetcherAsking(answer: (name: string, type: number, times: number) => NameReply) {
  const server = await startNameServer(answer);
  onCleanup(() => server.close());
  const fetcher = openFetcher({ resolve: createResolver([server.address]) });
  return { fetcher, asked: server.asked };
}

const onlyA =
  (...addresses: string[]) =>
  (_name: string, type: number): NameReply => ({ addresses: type === TYPE_A ? addresses : [] });
const GUARDED = { allowPrivate: false };
const PUBLIC = '93.184.216.34';

describe('a name with several addresses', () => {
  it.each([
    ['the first of which refuses', ['127.0.0.2', '127.0.0.1']],
    ['of which only the last answers', ['127.0.0.3', '127.0.0.2', '127.0.0.1']],
  ])('%s is reached at the next', async (_what, addresses) => {
    const { port } = await httpServer((_req, res) => res.end('ok'));
    const { fetcher } = await fetcherAsking(onlyA(...addresses));
    const response = await fetcher.fetch(request(`http://many.example:${port}/`));
    expect(response.remoteAddress).toBe('127.0.0.1');
  });

  it('none of which answers is refused once, not once an address', async () => {
    const { port, server } = await httpServer(() => {});
    await new Promise((resolve) => server.close(resolve));
    const { fetcher } = await fetcherAsking(onlyA('127.0.0.2', '127.0.0.1'));
    await expect(fetcher.fetch(request(`http://many.example:${port}/`))).rejects.toMatchObject({
      code: 'FETCH_CONNECT',
    });
  });

  it('is reached at the public ones alone', async () => {
    ({ port: turned.port } = await httpServer((_req, res) => res.end('ok')));
    const { fetcher } = await fetcherAsking(onlyA('10.0.0.1', PUBLIC, '127.0.0.1'));
    expect((await fetcher.fetch(request('http://many.example/', GUARDED))).status).toBe(200);
    expect(turned.targets).toEqual([PUBLIC]);
  });
});

describe('a name that leads nowhere', () => {
  it.each(['0.0.0.0', '::'])(
    'at %s is no host even where private ones are allowed',
    async (address) => {
      const { port, accepted } = await httpServer((_req, res) => res.end('ok'));
      const { fetcher } = await fetcherAsking((_name, type) => ({
        addresses: (type === TYPE_A) === !address.includes(':') ? [address] : [],
      }));
      await expect(fetcher.fetch(request(`http://zero.example:${port}/`))).rejects.toMatchObject({
        code: 'FETCH_DNS_NOT_FOUND',
      });
      await expect(
        fetcher.fetch(request(`http://zero.example:${port}/`, GUARDED)),
      ).rejects.toMatchObject({ code: 'FETCH_PRIVATE_ADDRESS' });
      expect(accepted()).toBe(0);
    },
  );

  it.each([
    [NXDOMAIN, 'FETCH_DNS_NOT_FOUND'],
    [SERVFAIL, 'FETCH_DNS_FAILED'],
  ])('for RCODE %i ends in %s, with few questions', async (failure, code) => {
    const { fetcher, asked } = await fetcherAsking(() => ({ failure }));
    await expect(fetcher.fetch(request('http://none.example/'))).rejects.toMatchObject({ code });
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  it('is found once its server can say again', async () => {
    const { port } = await httpServer((_req, res) => res.end('ok'));
    let isBroken = true;
    const { fetcher } = await fetcherAsking((name, type) =>
      isBroken ? { failure: SERVFAIL } : onlyA('127.0.0.1')(name, type),
    );
    const ask = () => fetcher.fetch(request(`http://later.example:${port}/`));
    await expect(ask()).rejects.toMatchObject({ code: 'FETCH_DNS_FAILED', retryable: true });
    isBroken = false;
    expect((await ask()).status).toBe(200);
  });
});

describe('names whose server never answers', () => {
  it('keep no other host and no file waiting, and end at connectTimeout', async () => {
    const { port } = await httpServer((_req, res) => res.end('ok'));
    const { fetcher } = await fetcherAsking((name, type) =>
      name.startsWith('silent') ? 'silence' : onlyA('127.0.0.1')(name, type),
    );
    let ended = 0;
    const silent = Array.from({ length: 40 }, (_, n) =>
      fetcher
        .fetch(request(`http://silent${n}.example/`, { connectTimeoutMs: 3000 }))
        .catch((error: { code: string }) => error.code)
        .finally(() => (ended += 1)),
    );
    expect((await fetcher.fetch(request(`http://quick.example:${port}/`))).status).toBe(200);
    expect((await readFile('package.json')).length).toBeGreaterThan(0);
    expect(ended).toBe(0);
    expect(new Set(await Promise.all(silent))).toEqual(new Set(['FETCH_DNS_FAILED']));
  });
});

describe("'dns-rebinding': a name that is public once and then this machine", () => {
  it('is connected to at the address that was checked, and refused at the next look-up', async () => {
    ({ port: turned.port } = await httpServer((_req, res) =>
      res.setHeader('connection', 'close').end('ok'),
    ));
    const { fetcher, asked } = await fetcherAsking((_name, type, times) => ({
      addresses: type === TYPE_A ? [times === 1 ? PUBLIC : '127.0.0.1'] : [],
    }));
    const ask = () => fetcher.fetch(request('http://rebind.example/', GUARDED));
    expect((await ask()).status).toBe(200);
    // One look-up, one connection: nothing in between could answer anything else.
    expect(asked.filter((each) => each.endsWith(` ${TYPE_A}`))).toHaveLength(1);
    await expect(ask()).rejects.toMatchObject({ code: 'FETCH_PRIVATE_ADDRESS' });
    expect(turned.targets).toEqual([PUBLIC]);
  });
});
