/** `<meta http-equiv=refresh>`. Pure. */

/**
 * The URL of a refresh, as written; null without one (the page only reloads) or when malformed.
 *
 * @see https://html.spec.whatwg.org/#shared-declarative-refresh-steps
 */
export function parseRefresh(content: string): string | null {
  const time = /^[\t\n\f\r ]*(?:\d+[\d.]*|\.[\d.]*)/.exec(content);
  if (!time) return null;
  const rest = content.slice(time[0].length);
  const separator = /^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/.exec(rest)?.[0] ?? '';
  if (separator === '') return null;
  let url = rest.slice(separator.length);
  url = url.replace(/^url[\t\n\f\r ]*=[\t\n\f\r ]*/i, '');
  const quote = url[0];
  if (quote === '"' || quote === "'") url = url.slice(1).split(quote, 1)[0] ?? '';
  // The URL parser strips what is no part of a URL: fewer kinds of blanks than trim().
  return /[^\t\n\f\r ]/.test(url) ? url : null;
}
