/** What the relation types of `<link>` and of Link headers lead to. */

import type { Link } from '../../contracts/urls.js';

/** Lead to pages or feeds; all others load resources or name none. */
// prettier-ignore
const NAVIGATION: ReadonlySet<string> = new Set([
  'next', 'prev', 'previous', 'first', 'last', 'start', 'up', 'index', 'contents', 'toc', 'chapter',
  'section', 'subsection', 'appendix', 'glossary', 'copyright', 'help', 'author', 'license',
  'bookmark', 'alternate', 'canonical', 'shortlink', 'amphtml', 'home', 'archives',
  'privacy-policy', 'terms-of-service',
]);

/** Load what a page needs to be shown. */
const RESOURCES: ReadonlyMap<string, Link['kind']> = new Map([
  ['stylesheet', 'css'],
  ['icon', 'icon'],
  ['apple-touch-icon', 'icon'],
  ['apple-touch-icon-precomposed', 'icon'],
  ['mask-icon', 'icon'],
  ['preload', 'preload'],
  ['modulepreload', 'preload'],
  ['prefetch', 'preload'],
  ['manifest', 'manifest'],
]);

const FORBIDDING = ['nofollow', 'ugc', 'sponsored'];

/** Words of a rel attribute, ASCII lower-case. */
export function relationsOf(rel: string): string[] {
  return rel
    .toLowerCase()
    .split(/[\t\n\f\r ]+/)
    .filter(Boolean);
}

/** nofollow, ugc or sponsored. */
export function forbidsFollowing(relations: readonly string[]): boolean {
  return relations.some((name) => FORBIDDING.includes(name));
}

/** Leads to a page or a feed? An alternate style sheet is a resource. */
export function isNavigation(relations: readonly string[]): boolean {
  return !relations.includes('stylesheet') && relations.some((name) => NAVIGATION.has(name));
}

/** Kind of the resource that is loaded; null for none. */
export function resourceKind(relations: readonly string[]): Link['kind'] | null {
  for (const name of relations) {
    const kind = RESOURCES.get(name);
    if (kind) return kind;
  }
  return null;
}
