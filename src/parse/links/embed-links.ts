/** What an element loads to show the page: images, scripts, style sheets, media. Pure. */

import type { Link } from '../../contracts/urls.js';
import { cssUrls } from './css-urls.js';
import type { Namespace } from '../markup/element-kinds.js';
import { relationsOf, resourceKind } from './link-relations.js';
import { parseSrcset } from './srcset.js';

/** A resource, as written. */
export interface EmbedLink {
  readonly href: string;
  readonly kind: Link['kind'];
}

/** Attributes that are read, lower-case. */
// prettier-ignore
export const EMBED_ATTRIBUTES: readonly string[] = [
  'src', 'srcset', 'imagesrcset', 'href', 'xlink:href', 'poster', 'data', 'background', 'style', 'rel',
  'type',
];

/** Attributes that hold one URL, by element. */
const SINGLE: Readonly<Record<string, readonly [attribute: string, kind: Link['kind']][]>> = {
  img: [['src', 'img']],
  script: [['src', 'script']],
  video: [
    ['src', 'media'],
    ['poster', 'img'],
  ],
  audio: [['src', 'media']],
  source: [['src', 'media']],
  track: [['src', 'media']],
  object: [['data', 'object']],
  embed: [['src', 'embed']],
  ...Object.fromEntries(
    ['body', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th'].map((name) => [
      name,
      [['background', 'background']],
    ]),
  ),
};

/** Elements of SVG that load what they name. */
const SVG: Readonly<Record<string, Link['kind']>> = {
  image: 'img',
  feimage: 'img',
  use: 'img',
  script: 'script',
};

/**
 * @param get value of an attribute, entities decoded; undefined without one
 * @see https://html.spec.whatwg.org/#attributes-3
 */
export function embedLinks(
  name: string,
  space: Namespace,
  get: (attribute: string) => string | undefined,
): EmbedLink[] {
  const found: EmbedLink[] = [];
  const add = (href: string | undefined, kind: Link['kind']) => {
    // An empty value loads nothing, and a fragment is of the document itself.
    if (href !== undefined && /^[^#]/.test(href.trim())) found.push({ href, kind });
  };
  const style = get('style');
  if (style !== undefined) cssUrls(style).forEach((href) => add(href, 'css'));
  if (space === 'svg') {
    const kind = SVG[name];
    if (kind) add(get('href') ?? get('xlink:href'), kind);
  }
  if (space !== 'html') return found;
  const addSet = (value: string | undefined) => {
    if (value !== undefined) parseSrcset(value).forEach((href) => add(href, 'srcset'));
  };
  for (const [attribute, kind] of SINGLE[name] ?? []) add(get(attribute), kind);
  if (name === 'img' || name === 'source') addSet(get('srcset'));
  if (name === 'input' && get('type')?.toLowerCase() === 'image') add(get('src'), 'img');
  if (name === 'link') {
    const kind = resourceKind(relationsOf(get('rel') ?? ''));
    if (kind) add(get('href'), kind);
    if (kind === 'preload') addSet(get('imagesrcset'));
  }
  return found;
}
