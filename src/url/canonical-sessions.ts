/**
 * The rule of the canonical form about session ids: what a server puts into its URLs for visitors
 * without cookies. Only what is one beyond doubt: a name that nothing else has, or a common name
 * with a value that nobody would type (`sid=` and 32 digits; never `newsId=`, never `sid=7`).
 */

import { dropParameters, nameTest, splitPair } from './canonical-parameters.js';

/** Names that mean a session whatever their value, lower-case; `*` ends a prefix. */
// prettier-ignore
export const SESSION_NAMES: readonly string[] = [
  // PHP; Java servlets; classic ASP and ASP.NET; Perl's CGI::Session
  'phpsessid', 'phpsessionid', 'jsessionid', 'aspsessionid*', 'asp.net_sessionid', 'cgisessid',
  // Rails and others mark what is not the page's own with an underscore
  '_sessionid', '_session_id',
  // osCommerce, xt:Commerce, Zen Cart; BroadVision; ColdFusion
  'oscsid', 'xtcsid', 'zenid', 'bv_sessionid', 'bv_engineid', 'cftoken',
];

/** Names that mean a session where the value looks like a token, lower-case. */
export const SESSION_NAMES_WITH_TOKEN: readonly string[] = [
  'sid',
  'sess',
  'sessid',
  'sess_id',
  'session',
  'sessionid',
  'session_id',
  'sessiontoken',
];

/** 16 characters or more, digits among them: nothing that people number or name. */
const TOKEN = /^(?=[^\d]*\d)[A-Za-z0-9_-]{16,}$/;
/** What vBulletin and others send as `s=`: a hash of 32 hexadecimal digits, nothing shorter. */
const HASH = /^[0-9a-f]{32}$/i;

const isSessionName = nameTest(SESSION_NAMES);
const needsToken = new Set(SESSION_NAMES_WITH_TOKEN);

/**
 * ASP.NET's cookieless segments: tickets of a session, an anonymous visitor and a login, `(S(…))`,
 * `(A(…)F(…))`, the trial `(X(1))`, and version 1's bare `(token)`.
 */
const ASP_NET_SEGMENT =
  /\/\((?:(?:X\(\d\)|[AFS]\([A-Za-z0-9_-]{16,}\))+|(?=[a-z]*\d)[a-z0-9]{24})\)(?=\/|$)/gi;

function isSession(name: string, value: string): boolean {
  return (
    isSessionName(name) ||
    (needsToken.has(name) && TOKEN.test(value)) ||
    (name === 's' && HASH.test(value))
  );
}

/** Drop session ids from path parameters (`;jsessionid=1`) and cookieless segments. */
export function dropPathSessions(path: string): string {
  const plain = path.includes(';') ? path.replace(/;[^;/]*/g, withoutSession) : path;
  const short = plain.includes('/(') ? plain.replace(ASP_NET_SEGMENT, '') : plain;
  return short === '' ? '/' : short;
}

function withoutSession(parameter: string): string {
  const { name, value } = splitPair(parameter.slice(1));
  // Java's servers may append a route: `.node1`.
  return isSession(name, value.replace(/[.!].*$/, '')) ? '' : parameter;
}

/** Drop session ids from the query; ColdFusion's CFID goes with its CFTOKEN, never alone. */
export function dropQuerySessions(query: string | null): string | null {
  const hasToken = query !== null && /(?:^|&)cftoken=/i.test(query);
  return dropParameters(
    query,
    (name, value) => isSession(name, value) || (hasToken && name === 'cfid'),
  );
}
