/** The resolver against a name server of the test's own. */
import { createSocket } from 'node:dgram';
import { describe, expect, it } from 'vitest';
import { createResolver } from '../../../src/fetch/resolve-host.js';
import { onCleanup } from './servers.js';

const TYPE_A = 1;
const TYPE_AAAA = 28;

/** What a question is answered with: addresses as bytes, a failure code, or silence. */
type Reply = { addresses: number[][] } | { failure: number } | 'silence';

/** A name server that answers by name and type; counts the questions. */
async function nameServer(
  answer: (name: string, type: number) => Reply,
): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const type = query.readUInt16BE(at + 1);
    const question = query.subarray(12, at + 5);
    asked.push(`${labels.join('.')} ${type}`);
    const reply = answer(labels.join('.').toLowerCase(), type);
    if (reply === 'silence') return;
    const addresses = 'addresses' in reply ? reply.addresses : [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | ('failure' in reply ? reply.failure : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
    );
    socket.send(Buffer.concat([header, question, ...records]), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onCleanup(() => new Promise((resolve) => socket.close(() => resolve(undefined))));
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

const V6 = [0x26, 6, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11];

describe('createResolver', () => {
  it('gives all addresses of both families, IPv4 first', async () => {
    const { address } = await nameServer((_name, type) => ({
      addresses:
        type === TYPE_A
          ? [
              [1, 1, 1, 1],
              [1, 0, 0, 1],
            ]
          : [V6],
    }));
    const found = await createResolver([address])('www.example.com');
    expect(found.map(({ family }) => family)).toEqual([4, 4, 6]);
    expect(found.map((each) => each.address)).toContain('2606:4700::1111');
  });

  it('does not wait for a family that is never answered', async () => {
    const { address } = await nameServer((_name, type) =>
      type === TYPE_AAAA ? 'silence' : { addresses: [[1, 1, 1, 1]] },
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
    const { address, asked } = await nameServer(() => ({ addresses: [[1, 1, 1, 1]] }));
    const found = await createResolver([address])('localhost');
    expect(found.every((each) => /^(127\.|::1$)/.test(each.address))).toBe(true);
    expect(asked).toEqual([]);
  });
});
