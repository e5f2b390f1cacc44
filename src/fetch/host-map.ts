/**
 * `mapHosts`: where requests to a host connect instead of asking DNS, as curl's --resolve and
 * --connect-to do. Only the connection's target changes: Host header, SNI and the certificate check
 * stay with the URL's host.
 *
 * A mapped address is exempt from the address guard: the user named exactly that address for
 * exactly those hosts, so it can't be smuggled in by a page, a redirect or DNS.
 */
import type { HostMapping } from '../contracts/settings.js';

/** Does `text` match `pattern`, in which `*` stands for any characters? Linear; no back-tracking. */
export function matchesWildcard(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return text === pattern;
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}

/**
 * The mapping for a host: the first whose pattern matches wins.
 *
 * @param hostname WHATWG host of the URL, lower-case; an IPv6 literal with or without brackets
 * @returns null when no pattern matches
 */
export function findHostMapping(
  mappings: readonly HostMapping[],
  hostname: string,
): HostMapping | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return mappings.find(({ pattern }) => matchesWildcard(pattern.toLowerCase(), bare)) ?? null;
}
