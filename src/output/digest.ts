/** Digests of bodies, as page records carry them. */

import { hash } from 'node:crypto';

/** `sha256:<64 hex digits>` of a decoded body. */
export function digestOf(body: Uint8Array): string {
  return `sha256:${hash('sha256', body, 'hex')}`;
}
