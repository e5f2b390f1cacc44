/** Seeds as they may be kept and shown. */
import { parseUrl } from '../url/parse-url.js';

/**
 * A seed without user name and password, which are never sent, and so need not be in a history, in
 * Redis or on a screen either.
 *
 * @param seed whatever a person wrote; without an `@` it comes back as it is
 */
export function withoutCredentials(seed: string): string {
  if (!seed.includes('@')) return seed;
  return parseUrl(seed) ?? seed.replace(/^(\s*[a-z][a-z0-9+.-]*:[/\\]+)[^/\\?#]*@/i, '$1');
}
