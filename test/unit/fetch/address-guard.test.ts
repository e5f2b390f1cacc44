import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whyAddressRefused } from '../../../src/fetch/address-guard.js';

describe('whyAddressRefused', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.255', 'loopback'],
    ['0.0.0.0', 'this host or network'],
    ['10.1.2.3', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'shared (carrier-grade NAT)'],
    ['169.254.1.1', 'link-local'],
    ['169.254.169.254', 'cloud metadata'],
    ['168.63.129.16', 'cloud metadata'],
    ['192.0.0.192', 'reserved'],
    ['198.18.0.1', 'benchmarking'],
    ['224.0.0.251', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['::', 'unspecified'],
    ['fd00:ec2::254', 'private'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['2001:db8::1', 'documentation'],
    ['2001::1', 'reserved'],
    ['5f00::1', 'reserved'],
    ['64:ff9b:1::1', 'local translation'],
    ['::ffff:127.0.0.1', 'IPv4-mapped loopback'],
    ['::ffff:7f00:1', 'IPv4-mapped loopback'],
    ['::ffff:a9fe:a9fe', 'IPv4-mapped cloud metadata'],
    ['::127.0.0.1', 'IPv4-compatible loopback'],
    ['::8.8.8.8', 'deprecated IPv4-compatible'],
    ['64:ff9b::10.0.0.1', 'NAT64 private'],
    ['2002:7f00:1::', '6to4 loopback'],
    ['2002:c0a8:101::1', '6to4 private'],
    ['localhost', 'not an address'],
  ])('refuses %s as %s', (address, why) => {
    expect(whyAddressRefused(address)).toBe(why);
  });

  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.0',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
  ])('lets %s pass', (address) => {
    expect(whyAddressRefused(address)).toBeNull();
  });

  it('judges every IPv4 address like its IPv4-mapped form', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const mapped = whyAddressRefused(`::ffff:${address}`);
        const plain = whyAddressRefused(address);
        expect(mapped).toBe(plain === null ? null : `IPv4-mapped ${plain}`);
      }),
    );
  });

  it('answers for every IPv6 address', () => {
    fc.assert(fc.property(fc.ipV6(), (address) => whyAddressRefused(address) !== 'not an address'));
  });
});
