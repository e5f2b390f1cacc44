/** Names under `.example` (asked over the network, unlike `.test`) whose look-ups have troubles. */
import type { Behaviours } from './behaviour.js';
import { NXDOMAIN, SERVFAIL, TYPE_A, TYPE_AAAA, type NameReply } from './name-server.js';
import { page, redirect } from './reply.js';

const HERE = '127.0.0.1';
/** A loopback address that nobody listens on. */
const DEAD = '127.0.0.2';
const NONE: NameReply = { addresses: [] };

/** Hosts of names that resolve in the end. */
export const dns: Behaviours = {
  'dns-nxdomain': {},
  'dns-servfail': { routes: { '/': page('/next') } },
  'dns-timeout': {},
  'dns-multiple-a-first-dead': {},
  'dns-ipv6-only': { address: '::1' },
  'dns-ipv6-literal': { address: '::1', routes: { '/': page('/next') } },
  'dns-zero-address': {},
  'dns-private-address': {},
  'private-literal': {},
  'redirect-to-private-address': {
    routes: {
      '/': (request) => redirect(`http://127.0.0.1:${request.socket.localPort}/secret`)(request),
    },
  },
};

const A: Readonly<Record<string, (times: number) => NameReply>> = {
  'dns-nxdomain': () => ({ failure: NXDOMAIN }),
  // Each look-up asks several times before it gives up.
  'dns-servfail': (times) => (times <= 2 ? { failure: SERVFAIL } : { addresses: [HERE] }),
  'dns-timeout': () => 'silence',
  'dns-multiple-a-first-dead': () => ({ addresses: [DEAD, HERE] }),
  'dns-ipv6-only': () => NONE,
  'dns-zero-address': () => ({ addresses: ['0.0.0.0'] }),
  'dns-private-address': () => ({ addresses: [HERE] }),
};
const AAAA: typeof A = {
  'dns-nxdomain': () => ({ failure: NXDOMAIN }),
  'dns-timeout': () => 'silence',
  'dns-ipv6-only': () => ({ addresses: ['::1'] }),
};

/** What the name server says of these names. */
export function nameReply(name: string, type: number, times: number): NameReply {
  const label = name.replace(/\.example$/, '');
  const answers = type === TYPE_A ? A : type === TYPE_AAAA ? AAAA : {};
  return answers[label]?.(times) ?? NONE;
}
