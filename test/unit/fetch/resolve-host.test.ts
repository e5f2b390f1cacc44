/** The resolver against a name server of the test's own. */
import { describe, expect, it } from 'vitest';
import { createResolver } from '../../../src/fetch/resolve-host.js';
import {
  startNameServer,
  TYPE_A,
  TYPE_AAAA,
  type NameServer,
} from '../../support/http-behaviours/name-server.js';
import { onCleanup } from './servers.js';

/** A name server that ends with the test. */
async function nameServer(...args: Parameters<typeof startNameServer>): Promise<NameServer> {
  const server = await startNameServer(...args);
  onCleanup(() => server.close());
  return server;
}

describe('createResolver', () => {
  it('gives all addresses of both families, IPv4 first', async () => {
    const { address } = await nameServer((_name, type) => ({
      addresses: type === TYPE_A ? ['1.1.1.1', '1.0.0.1'] : ['2606:4700::1111'],
    }));
    const found = await createResolver([address])('www.example.com');
    expect(found.map(({ family }) => family)).toEqual([4, 4, 6]);
    expect(found.map((each) => each.address)).toContain('2606:4700::1111');
  });

  it('does not wait for a family that is never answered', async () => {
    const { address } = await nameServer((_name, type) =>
      type === TYPE_AAAA ? 'silence' : { addresses: ['1.1.1.1'] },
    );
    const found = await createResolver([address])('www.example.com');
    expect(found).toEqual([{ address: '1.1.1.1', family: 4 }]);
  });

  it('tells a name that does not exist from a server that can’t say', async () => {
    const { address } = await nameServer((name) => ({
      failure: name === 'missing.example.com' ? 3 : 2,
    }));
    const resolve = createResolver([address]);
    await expect(resolve('missing.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolve('broken.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });

  it('has no address for a name without records of either family', async () => {
    const { address } = await nameServer(() => ({ addresses: [] }));
    await expect(createResolver([address])('mail.example.com')).rejects.toMatchObject({
      code: 'ENODATA',
    });
  });

  it('keeps local names from the public name server', async () => {
    const { address, asked } = await nameServer(() => ({ addresses: ['1.1.1.1'] }));
    const found = await createResolver([address])('localhost');
    expect(found.every((each) => /^(127\.|::1$)/.test(each.address))).toBe(true);
    expect(asked).toEqual([]);
  });
});
