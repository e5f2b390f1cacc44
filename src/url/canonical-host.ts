/** Rules of the canonical form about the host. */

/** `example.com.` is `example.com` for a web server. Only a single trailing dot is dropped. */
export function dropHostTrailingDot(host: string): string {
  return host.replace(/^(.*[^.])\.(?=:\d+$|$)/, '$1');
}

/**
 * `www.example.com` is `example.com`; never shorter than the registered domain (`www.com`).
 *
 * @param host with or without port
 * @param domain its registered domain, null where it has none
 */
export function dropHostWww(host: string, domain: string | null): string {
  if (domain === null) return host;
  const at = host.lastIndexOf(domain);
  return host.slice(0, at).replace(/^(?:www\.)+/, '') + host.slice(at);
}
