/** Links of a response's headers. */

import type { Link } from '../../contracts/urls.js';
import type { RawLink } from './link-bag.js';
import { parseLinkHeader } from './link-header.js';
import { forbidsFollowing, isNavigation, resourceKind } from './link-relations.js';
import { parseRefresh } from './meta-refresh.js';

/** Headers that lead on, one entry a line each. */
export interface LinkHeaders {
  readonly linkHeader?: readonly string[] | undefined;
  readonly refreshHeader?: readonly string[] | undefined;
  /** Resources too. */
  readonly embeds?: boolean | undefined;
}

/** Links of Link headers, then of Refresh headers; all relative to the response. */
export function headerLinks(input: LinkHeaders): RawLink[] {
  const found: RawLink[] = [];
  const add = (href: string, kind: Link['kind'], rel: readonly string[] = []) =>
    found.push({
      href,
      kind,
      scope: null,
      nofollow: forbidsFollowing(rel),
      isCanonical: rel.includes('canonical'),
    });
  for (const { target, rel } of parseLinkHeader(input.linkHeader ?? [])) {
    const resource = input.embeds ? resourceKind(rel) : null;
    if (isNavigation(rel)) add(target, 'header', rel);
    else if (resource) add(target, resource);
  }
  for (const value of input.refreshHeader ?? []) {
    const href = parseRefresh(value);
    if (href !== null) add(href, 'refresh');
  }
  return found;
}
