/** Paths of robots.txt rules: one spelling for rule and URL, and their match (RFC 9309 §2.2.2–3). */

import { normalizeEscapes } from '../url/canonical-escapes.js';
import { matchGlob } from '../url/url-pattern.js';

/** A compiled rule path. */
export interface PathPattern {
  /** Octets that decide which of several matching rules is the most specific. */
  readonly length: number;
  /** @param path result of comparablePath */
  matches(path: string): boolean;
}

/** Characters that a URL's path or query can't hold raw, or may hold raw or encoded alike. */
// eslint-disable-next-line no-control-regex
const ENCODED_ANYWAY = /[\u0000-\u0020"'<>[\\\]^`{|}\u007f-\uffff]+/g;

/** Path and query of a URL as rules are compared with it: `*` and `$` are ordinary characters. */
export function comparablePath(pathAndQuery: string): string {
  return comparable(pathAndQuery).replaceAll('*', '%2A').replaceAll('$', '%24');
}

/**
 * Compile the path of a rule: `*` is any run of characters, a final `$` the end of the URL.
 * Matching takes time linear in path and rule, whatever the rule: rules come from strangers.
 *
 * @returns null for what can match no path: it starts neither with `/` nor with `*`
 */
export function compilePath(value: string): PathPattern | null {
  if (!value.startsWith('/') && !value.startsWith('*')) return null;
  const isAnchored = value.endsWith('$');
  const text = comparable(isAnchored ? value.slice(0, -1) : value).replaceAll('$', '%24');
  const parts = text.split(/\*+/);
  // Without `$` a rule is a prefix: anything may follow its last part.
  if (!isAnchored) parts.push('');
  return {
    length: text.length + (isAnchored ? 1 : 0),
    matches: (path) => matchGlob(parts, path),
  };
}

function comparable(text: string): string {
  return normalizeEscapes(text.replace(ENCODED_ANYWAY, percentEncode));
}

function percentEncode(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}
