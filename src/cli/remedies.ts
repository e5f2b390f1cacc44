/** What to do about an outcome: one sentence per skip reason, error code or status. Pure. */

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /^robotsTxt/,
    'its robots.txt forbids it to this user agent; ask the site, or on your own site use --robots ignore',
  ],
  [
    /^robots\.txt: HTTP/,
    'a site whose robots.txt answers with a server error may not be crawled; try again later',
  ],
  [
    /^privateAddress|FETCH_PRIVATE_ADDRESS/,
    'it resolves to a loopback or private address; --allow-private permits that',
  ],
  [/FETCH_DNS_NOT_FOUND/, 'there is no such host; check the spelling'],
  [/FETCH_DNS/, 'its name could not be looked up; check the DNS of this machine'],
  [/FETCH_CONNECT_TIMEOUT/, 'it did not take the connection; check host, port and firewall'],
  [/FETCH_CONNECT/, 'nothing listens there; check host, port and scheme'],
  [/FETCH_TLS/, 'its certificate or TLS is not acceptable; check the host name, or use http://'],
  [/FETCH_(HEADERS|BODY|TOTAL)_TIMEOUT/, 'it answers too slowly; raise the timeout of that name'],
  [/^tooLarge|FETCH_BODY_TOO_LARGE/, 'raise --max-bytes'],
  [/^unsupportedType/, 'only HTML, XHTML, text and sitemaps are read; name a page'],
  [/^depth/, 'raise --depth'],
  [/^pageLimit|^maxPages/, 'raise --limit, also on resume'],
  [/^hostLimit/, 'raise --per-host-limit, also on resume'],
  [/FETCH_TOO_MANY_REDIRECTS/, 'it redirects in a circle; open it in a browser to see where to'],
  [/FETCH_BAD_REDIRECT/, 'it redirects to what is no http or https URL; tell its owner'],
  [/FETCH_RESET/, 'it closes the connection without an answer; it may block crawlers, or be down'],
  [/FETCH_(PROTOCOL|BAD_ENCODING|BODY_TRUNCATED)/, 'its server is at fault; tell its owner'],
  [/HTTP 40[13]/, 'it does not let this crawler in; check --user-agent, or ask the site'],
  [/HTTP (404|410)/, 'there is no such page; check the address'],
  [/HTTP 429|HTTP 503|Retry-After/i, 'the site is busy; resume later, or raise --delay'],
  [/HTTP 5\d\d/, 'the site has a fault; resume later'],
  [/hostPatience/, 'resume when the host is back, or raise --host-patience'],
];

/** What to do; where nothing special is known, how to look closer. */
export function remedyOf(reason: string, url: string): string {
  const found = REMEDIES.find(([pattern]) => pattern.test(reason));
  return found?.[1] ?? `try it with: curl -I ${shown(url)}`;
}

function shown(url: string): string {
  return `'${url.replaceAll("'", '%27')}'`;
}
