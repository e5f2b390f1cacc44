/** A name server on loopback (RFC 1035, UDP) that answers by name and type, or doesn't. */
import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

export const TYPE_A = 1;
export const TYPE_AAAA = 28;
/** RCODE of "the server could not say". */
export const SERVFAIL = 2;
/** RCODE of "there is no such name". */
export const NXDOMAIN = 3;

/** What a question is answered with: addresses, a failure code, or silence. */
export type NameReply =
  { readonly addresses: readonly string[] } | { readonly failure: number } | 'silence';

/** A name server that runs. */
export interface NameServer {
  /** `address:port`, as resolvers take it. */
  readonly address: string;
  /** `name type` of every question, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** The bytes of an IPv4 or IPv6 address. */
function bytesOf(address: string): number[] {
  if (isIPv4(address)) return address.split('.').map(Number);
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [head, tail] = [groups(left), groups(right)];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/**
 * Start one.
 *
 * @param answer asked for each question; `times` counts those of this name and type, from 1. All
 *   answers have a TTL of 0.
 */
export async function startNameServer(
  answer: (name: string, type: number, times: number) => NameReply,
): Promise<NameServer> {
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
    const name = labels.join('.').toLowerCase();
    const key = `${name} ${type}`;
    asked.push(key);
    const reply = answer(name, type, asked.filter((each) => each === key).length);
    if (reply === 'silence') return;
    const addresses = 'addresses' in reply ? reply.addresses : [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | ('failure' in reply ? reply.failure : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((address) => {
      const bytes = bytesOf(address);
      return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
    });
    socket.send(Buffer.concat([header, question, ...records]), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
