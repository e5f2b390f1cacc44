/** All behaviours that are played, by the names of test/vectors/http.json. */
import type { Behaviours } from './behaviour.js';
import { bodies } from './bodies.js';
import type { CertificateAuthority } from './certificate-authority.js';
import { compression } from './compression.js';
import { connections } from './connections.js';
import { cookies } from './cookies.js';
import { dns } from './dns.js';
import { headers } from './headers.js';
import { redirects } from './redirects.js';
import { statuses } from './statuses.js';
import { tlsBehaviours } from './tls.js';
import { traps } from './traps.js';
import { types } from './types.js';

/** @param trusted whose certificates the crawl accepts; @param foreign whose it does not */
export const allBehaviours = (
  trusted: CertificateAuthority,
  foreign: CertificateAuthority,
): Behaviours => ({
  ...redirects,
  ...headers,
  ...bodies,
  ...compression,
  ...statuses,
  ...types,
  ...tlsBehaviours(trusted, foreign),
  ...dns,
  ...cookies,
  ...traps,
  ...connections,
});
