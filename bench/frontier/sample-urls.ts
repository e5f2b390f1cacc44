/** URLs of 55 characters as a site has them, for measuring what they cost. */
import { DEFAULT_CANONICAL } from '../../src/url/canonical-settings.js';
import { fingerprintOf } from '../../src/url/canonical-url.js';
import type { DiscoveredUrl } from '../../src/contracts/urls.js';

const WORDS = (
  'about account archive article author basket board brand budget camera canvas career center ' +
  'chart choice city classic client coffee color company concept contact copper corner cotton ' +
  'course crystal culture custom dealer delivery design desk detail dinner doctor drive editor ' +
  'energy engine event expert fabric family farm fashion field filter finance flower forest ' +
  'format garden glass global green guide handle harbor health history hotel image island ' +
  'jacket journal kitchen ladder leather letter light linen local market master meadow'
).split(' ');
const LENGTH = 55;

/** A small generator with a fixed seed, so that two runs measure the same URLs. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** URL number `n` of a host: words and its number, filled up to 55 characters; via is another page. */
export function sampleUrl(hostKey: string, n: number, random: () => number): DiscoveredUrl {
  const url = addressOf(hostKey, n, random);
  return {
    url,
    kind: 'page',
    depth: 1 + (n % 6),
    hops: 'L'.repeat(1 + (n % 6)),
    via: addressOf(hostKey, Math.floor(n / 20), randomFrom(Math.floor(n / 20) + 1)),
    attempts: 0,
    fingerprint: fingerprintOf(url, DEFAULT_CANONICAL),
    hostKey,
    registeredDomain: hostKey,
    level: 10 + (n % 6) * 10,
  };
}

function addressOf(hostKey: string, n: number, random: () => number): string {
  let path = '';
  const head = `https://${hostKey}/`;
  const tail = `-${n}`;
  const room = LENGTH - head.length - tail.length;
  while (path.length < room) {
    path += `${WORDS[Math.floor(random() * WORDS.length)]}${random() < 0.3 ? '/' : '-'}`;
  }
  return head + path.slice(0, room).replace(/[-/]$/, 'x') + tail;
}
