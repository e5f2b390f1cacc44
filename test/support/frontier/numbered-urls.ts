/** URLs by number, spread over hosts, so that millions can be made and counted cheaply. */
import type { DiscoveredUrl } from '../../../src/contracts/urls.js';

/** URL number `n` of a crawl of so many hosts. */
export function numberedUrl(n: number, hosts: number): DiscoveredUrl {
  const hostKey = `h${n % hosts}.example.com`;
  return {
    url: `https://${hostKey}/${n}`,
    kind: 'page',
    depth: 1,
    hops: 'L',
    via: '',
    attempts: 0,
    fingerprint: n.toString(36).padStart(20, '0'),
    hostKey,
    registeredDomain: 'example.com',
    level: 10,
  };
}

/** Which number a URL has. */
export const urlNumber = (url: string): number => Number(url.slice(url.lastIndexOf('/') + 1));
