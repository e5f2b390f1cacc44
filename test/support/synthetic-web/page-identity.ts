/** Which page a URL means, by the judge's own rules: independent of the crawler's canonical form. */
import { TRACKING_PARAMETERS } from './link-forms.js';

/**
 * The identity of the page behind a URL of the synthetic web: no fragment, no tracking parameters,
 * no slash at the end, host in lower case, no default port. Equal identities are one page.
 *
 * @throws Error when the URL can't be parsed
 */
export function pageIdentity(url: string): string {
  if (!URL.canParse(url)) throw new Error(`url: "${url}" is not an absolute URL`);
  const parsed = new URL(url);
  parsed.hash = '';
  const kept = parsed.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
    .filter((pair) => !TRACKING_PARAMETERS.some((name) => pair.startsWith(`${name}=`)));
  const path = parsed.pathname.replace(/(.)\/$/, '$1');
  return `${parsed.origin}${path}${kept.length === 0 ? '' : `?${kept.join('&')}`}`;
}

/** The identity of what a request asked for. */
export function requestIdentity(request: { host: string; path: string }): string {
  return pageIdentity(`http://${request.host}${request.path}`);
}
