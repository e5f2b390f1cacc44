/** TLS: names, authorities, dates, ports that speak something else, secrets in clear. */
import type { Behaviours, TlsIdentity } from './behaviour.js';
import type { CertificateAuthority } from './certificate-authority.js';
import { page, rawThenClose, redirect } from './reply.js';

const ALERT = rawThenClose(Buffer.from([0x15, 3, 1, 0, 2, 2, 70]));

const always = (identity: TlsIdentity) => () => identity;

/** @param trusted whose certificates the crawl accepts; @param foreign whose it does not */
export function tlsBehaviours(
  trusted: CertificateAuthority,
  foreign: CertificateAuthority,
): Behaviours {
  const names = (host: string): string[] => [`${host}.test`, `*.${host}.test`];
  return {
    'tls-hostname-mismatch': { tls: always(trusted.issue(['other.test'])) },
    'tls-expired': { tls: always(trusted.issue(names('tls-expired'), -1)) },
    'tls-unknown-authority': { tls: always(foreign.issue(names('tls-unknown-authority'))) },
    'tls-on-plain-port': {},
    'plain-on-tls-port': {
      // What a TLS server says to plain HTTP: a fatal alert (RFC 8446 §6).
      routes: { '*': ALERT, '/robots.txt': ALERT },
    },
    'tls-sni-required': {
      tls: (name) => (name?.endsWith('.tls-sni-required.test') ? trusted.issue([name]) : null),
    },
    'tls-handshake-stall': { isDeaf: true },
    'redirect-https-to-http-cookie': {
      tls: always(trusted.issue(names('redirect-https-to-http-cookie'))),
      routes: {
        '/in': (request) =>
          request.isTls
            ? redirect(`http://${request.host}/out`, {
                headers: { 'Set-Cookie': ['safe=1; Secure; Path=/', 'open=1; Path=/'] },
              })(request)
            : page()(request),
      },
    },
  };
}
