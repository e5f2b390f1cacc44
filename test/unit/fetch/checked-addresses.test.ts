/**
 * The addresses that were checked are the ones that are tried. Public addresses can't be had on
 * loopback, so the last step, the socket's own connect, is turned to a local server and noted.
 */
import type { TcpNetConnectOpts } from 'node:net';
import type * as Net from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ResolveHost } from '../../../src/fetch/resolve-host.js';
import { httpServer, openFetcher, request } from './servers.js';

const turned = vi.hoisted(() => ({ port: 0, targets: [] as string[] }));

vi.mock('node:net', async (importOriginal) => {
  const net = await importOriginal<typeof Net>();
  const connect = (options: TcpNetConnectOpts): Net.Socket => {
    if (net.isIP(options.host ?? '') > 0) turned.targets.push(options.host ?? '');
    else {
      options.lookup?.(options.host ?? '', { all: true }, (_error, found) => {
        turned.targets.push(...(found as { address: string }[]).map(({ address }) => address));
      });
    }
    return net.connect({ port: turned.port, host: '127.0.0.1' });
  };
  return { ...net, connect };
});

const PUBLIC = { address: '93.184.216.34', family: 4 } as const;
const PUBLIC_6 = { address: '2606:4700::1111', family: 6 } as const;
const PRIVATE = { address: '127.0.0.1', family: 4 } as const;

describe('a guarded connection', () => {
  beforeEach(async () => {
    turned.targets.length = 0;
    ({ port: turned.port } = await httpServer((_req, res) =>
      res.setHeader('connection', 'close').end('ok'),
    ));
  });
  const guarded = (resolve: ResolveHost) => {
    const fetcher = openFetcher({ resolve });
    return () => fetcher.fetch(request('http://a.test/', { allowPrivate: false }));
  };

  it('is made to the public ones of a name’s addresses only', async () => {
    const fetchPage = guarded(() => Promise.resolve([PRIVATE, PUBLIC, PUBLIC_6]));
    expect((await fetchPage()).status).toBe(200);
    expect(turned.targets).toEqual([PUBLIC.address, PUBLIC_6.address]);
  });

  it('is made to the answer that was checked, and a later answer is checked anew', async () => {
    const answers = [[PUBLIC], [PRIVATE]];
    const fetchPage = guarded(() => Promise.resolve(answers.shift() ?? []));
    await fetchPage();
    expect(turned.targets).toEqual([PUBLIC.address]);
    expect(answers).toHaveLength(1);
    await expect(fetchPage()).rejects.toMatchObject({ code: 'FETCH_PRIVATE_ADDRESS' });
    expect(turned.targets).toEqual([PUBLIC.address]);
  });
});
