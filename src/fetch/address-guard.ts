/**
 * Which addresses a crawl may connect to. A page anywhere can link to (or resolve to) the inside
 * of the network that the crawler runs in; so only globally reachable unicast is allowed by default.
 * Source: IANA special-purpose address registries for IPv4 and IPv6 (RFC 6890 and updates).
 */
import { BlockList, isIP, isIPv4 } from 'node:net';

/** IPv4 that is not globally reachable, and what it is (for the error message). */
const REFUSED_IPV4: readonly (readonly [network: string, prefix: number, what: string])[] = [
  ['0.0.0.0', 8, 'this host or network'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared (carrier-grade NAT)'],
  ['127.0.0.0', 8, 'loopback'],
  // The virtual machine agent of a large cloud answers on this otherwise public address.
  ['168.63.129.16', 32, 'cloud metadata'],
  ['169.254.169.254', 32, 'cloud metadata'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.88.99.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
];

/** IPv6 likewise; whatever is outside 2000::/3 is refused as a whole afterwards. */
const REFUSED_IPV6: readonly (readonly [network: string, prefix: number, what: string])[] = [
  ['::', 128, 'unspecified'],
  ['::1', 128, 'loopback'],
  ['fc00::', 7, 'private'],
  ['fe80::', 10, 'link-local'],
  ['fec0::', 10, 'site-local'],
  ['ff00::', 8, 'multicast'],
  ['64:ff9b:1::', 48, 'local translation'],
  ['100::', 64, 'discard'],
  ['2001::', 23, 'reserved'],
  ['2001:db8::', 32, 'documentation'],
  ['3fff::', 20, 'documentation'],
];

const rulesOf = (
  family: 'ipv4' | 'ipv6',
  ranges: readonly (readonly [string, number, string])[],
): readonly { list: BlockList; what: string }[] =>
  ranges.map(([network, prefix, what]) => {
    const list = new BlockList();
    list.addSubnet(network, prefix, family);
    return { list, what };
  });

const IPV4_RULES = rulesOf('ipv4', REFUSED_IPV4);
const IPV6_RULES = rulesOf('ipv6', REFUSED_IPV6);
const GLOBAL_UNICAST = new BlockList();
GLOBAL_UNICAST.addSubnet('2000::', 3, 'ipv6');

/** Prefixes that carry an IPv4 address: where in the 16 bytes it stands. */
const EMBEDDINGS: readonly { prefix: readonly number[]; at: number; what: string }[] = [
  { prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], at: 12, what: 'IPv4-mapped' },
  { prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], at: 12, what: 'IPv4-compatible' },
  { prefix: [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], at: 12, what: 'NAT64' },
  { prefix: [0x20, 0x02], at: 2, what: '6to4' },
];

/** The 16 bytes of a valid IPv6 address, through the URL parser's canonical form. */
function ipv6Bytes(address: string): number[] {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [left = '', right] = canonical.split('::');
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : []);
  const [head, tail] = [groups(left), groups(right)];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const all = right === undefined ? head : [...head, ...zeros, ...tail];
  return all.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

function whyIpv6Refused(address: string): string | null {
  const rule = IPV6_RULES.find(({ list }) => list.check(address, 'ipv6'));
  if (rule) return rule.what;
  const bytes = ipv6Bytes(address);
  for (const { prefix, at, what } of EMBEDDINGS) {
    if (!prefix.every((byte, i) => bytes[i] === byte)) continue;
    const why = whyAddressRefused(bytes.slice(at, at + 4).join('.'));
    // A mapped or compatible form is no way to reach a public host on the wire either.
    if (why !== null) return `${what} ${why}`;
    return what === 'IPv4-compatible' ? 'deprecated IPv4-compatible' : null;
  }
  return GLOBAL_UNICAST.check(address, 'ipv6') ? null : 'reserved';
}

/**
 * Why the guard refuses an address.
 *
 * @param address IPv4 or IPv6 text, without brackets; an IPv6 zone is ignored
 * @returns what the address is ("loopback", "private" …), null where it is public
 */
export function whyAddressRefused(address: string): string | null {
  const plain = address.split('%', 1)[0] ?? address;
  if (isIPv4(plain)) return IPV4_RULES.find(({ list }) => list.check(plain, 'ipv4'))?.what ?? null;
  return isIP(plain) === 6 ? whyIpv6Refused(plain) : 'not an address';
}
