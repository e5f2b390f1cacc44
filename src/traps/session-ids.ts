/** Addresses with a session of their own: every visit makes new ones of all pages. Pure, linear. */
import type { UrlParts, Verdict } from './url-parts.js';

const SESSION_NAME =
  /^(?:[a-z]*sess(?:ion)?[-_]?(?:id|key|token)?|[a-z]{0,4}sid|aspsessionid[a-z]*|zenid|cftoken|session[-_]?token)$/i;
const PATH_PARAMETER = /;(?:jsessionid|phpsessid|sessionid|sid)=([^/;?]+)/i;
/** ASP.NET without cookies: `/(S(lit3py55t21z5v55vlm25s55))/`. */
const PATH_SESSION = /^\((?:[A-Z]\(([\w-]{16,})\))+\)$/;

/** A value that nobody would type: long, letters and digits mixed (or digits only, longer). */
function isToken(value: string): boolean {
  return value.length >= 16 && /^[\w.~!*-]+$/.test(value) && /\d/.test(value);
}

/** A session that the page which the URL was found on did not have: kept ones lead nowhere new. */
export function sessionId(link: UrlParts, page: UrlParts): Verdict {
  const tokens = sessionTokens(link);
  return tokens.some((token) => !page.url.includes(token)) ? 'later' : null;
}

function sessionTokens({ beforeQuery, segments, parameters }: UrlParts): string[] {
  const tokens = parameters
    .filter(({ name, value }) => isToken(value) && SESSION_NAME.test(name))
    .map(({ value }) => value);
  const inPath = beforeQuery.includes(';') && PATH_PARAMETER.exec(beforeQuery)?.[1];
  if (inPath && isToken(inPath)) tokens.push(inPath);
  for (const segment of segments) {
    const token = segment.startsWith('(') && PATH_SESSION.exec(segment)?.[1];
    if (token) tokens.push(token);
  }
  return tokens;
}
