/**
 * The rules of the canonical form in the order in which they are applied, each with its switch. What
 * is merged here is never fetched twice, so a rule that is on by default may only merge what serves
 * the same page practically always; docs/urls.md has an example and the standard of each.
 *
 * The WHATWG parser (parse-url.ts) has done these before: lower-case scheme, lower-case host in
 * ASCII (IDNA), IP addresses in one spelling, default port dropped, empty path is `/`, dot segments
 * removed, characters that no URL may hold raw are percent-encoded as UTF-8, fragment dropped.
 */

import type { CanonicalSettings } from '../contracts/settings.js';
import { encodeForbidden, normalizeEscapes } from './canonical-escapes.js';
import { dropHostTrailingDot, dropHostWww } from './canonical-host.js';
import {
  dropParameters,
  isTrackingParameter,
  nameTest,
  sortParameters,
  type NameTest,
} from './canonical-parameters.js';
import { dropIndexPage, dropTrailingSlash } from './canonical-path.js';
import { dropPathSessions, dropQuerySessions } from './canonical-sessions.js';
import { registeredDomainOrNull } from './host-key.js';

/** A parsed URL without its scheme. */
export interface UrlParts {
  /** With port, where it is not the default. */
  host: string;
  path: string;
  /** Without `?`; empty is a `?` with nothing behind it, null is no `?`. */
  query: string | null;
}

/** Apply the rules that are on, to parts of a URL as the WHATWG parser wrote it. */
export function applyRules(parts: UrlParts, rules: CanonicalSettings): UrlParts {
  let { host, path, query } = parts;
  if (rules.trailingDot) host = dropHostTrailingDot(host);
  if (rules.www) host = dropHostWww(host, registeredDomainOrNull(host));

  if (rules.forbiddenCharacters) {
    path = encodeForbidden(path);
    if (query !== null) query = encodeForbidden(query);
  }
  if (rules.escapes) {
    path = normalizeEscapes(path);
    if (query !== null) query = normalizeEscapes(query);
  }
  if (rules.sessionIds) {
    path = dropPathSessions(path);
    query = dropQuerySessions(query);
  }
  if (rules.indexPages) path = dropIndexPage(path);
  if (rules.trailingSlash) path = dropTrailingSlash(path, rules.indexPages);

  if (rules.trackingParameters) query = dropParameters(query, isTrackingParameter);
  if (rules.dropParameters.length > 0) query = dropParameters(query, dropTest(rules));
  if (rules.parameterOrder && query !== null) query = sortParameters(query);
  if (rules.emptyQuery && query === '') query = null;
  return { host, path, query };
}

const dropTests = new WeakMap<CanonicalSettings, NameTest>();

/** Settings are read-only and shared by all URLs of a page: compile each list once. */
function dropTest(rules: CanonicalSettings): NameTest {
  let test = dropTests.get(rules);
  if (!test) {
    test = nameTest(rules.dropParameters);
    dropTests.set(rules, test);
  }
  return test;
}
