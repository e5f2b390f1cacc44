/** Names of elements by format: what holds an entry, what its fields are called, what is its own. */

import type { SitemapNotes } from './sitemap-notes.js';
import type { SitemapEntry } from './sitemap.js';
import { parseFeedDate } from './w3c-date.js';

/** What a file is, by its root element; `text` is a list of URLs. */
export type SitemapFormat = 'urlset' | 'sitemapindex' | 'rss' | 'atom' | 'rdf' | 'text';

/** Element names of one format, lower-case, without prefix. */
export interface FormatNames {
  readonly format: Exclude<SitemapFormat, 'text'>;
  readonly items: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
}

const SITEMAP = {
  items: new Set(['url', 'sitemap']),
  fields: new Set(['loc', 'lastmod', 'changefreq', 'priority']),
};
const RSS = {
  items: new Set(['item']),
  fields: new Set(['link', 'guid', 'pubdate', 'date']),
};
const FORMATS: Readonly<Record<string, FormatNames>> = {
  urlset: { format: 'urlset', ...SITEMAP },
  sitemapindex: { format: 'sitemapindex', ...SITEMAP },
  rss: { format: 'rss', ...RSS },
  rdf: { format: 'rdf', ...RSS },
  feed: {
    format: 'atom',
    items: new Set(['entry']),
    // Atom 0.3 says modified and issued.
    fields: new Set(['link', 'updated', 'published', 'modified', 'issued']),
  },
};

/** Names of the format whose root element this is; null for another document. */
export function formatOfRoot(name: string): FormatNames | null {
  return Object.hasOwn(FORMATS, name) ? (FORMATS[name] ?? null) : null;
}

/** Are the entries of this format links of a document, not a list of a site's pages? */
export function isFeed(format: SitemapFormat | null): boolean {
  return format === 'rss' || format === 'atom' || format === 'rdf';
}

/** Namespaces of RSS 1.0 and 0.90, whose root is in another one. */
const RDF_ITEM_NAMESPACES = new Set([
  'http://purl.org/rss/1.0/',
  'http://my.netscape.com/rdf/simple/0.9/',
  'http://channel.netscape.com/rdf/simple/0.9/',
]);

/**
 * Which prefixes the elements of the format have: that of the root, every other one that the root
 * binds to the same namespace, and none where the root leaves that free. The rest (image, news,
 * video, alternates) are other vocabularies.
 *
 * @param attributes of the root element
 */
export function ownPrefixes(
  format: SitemapFormat,
  rootPrefix: string,
  attributes: ReadonlyMap<string, string>,
): (prefix: string) => boolean {
  const own = new Set<string>();
  const bound = new Map<string, string>();
  for (const [name, value] of attributes) {
    if (name === 'xmlns') bound.set('', value.trim());
    else if (name.startsWith('xmlns:')) bound.set(name.slice(6), value.trim());
  }
  if (format === 'rdf') {
    for (const [prefix, uri] of bound)
      if (RDF_ITEM_NAMESPACES.has(uri.toLowerCase())) own.add(prefix);
    if (own.size === 0) own.add('');
  } else {
    own.add(rootPrefix);
    const uri = bound.get(rootPrefix);
    for (const [prefix, other] of bound) if (other === uri) own.add(prefix);
    if (!bound.has('')) own.add('');
  }
  return (prefix) => own.has(prefix);
}

/** Local name and prefix of an element. */
export function splitName(name: string): [local: string, prefix: string] {
  const colon = name.indexOf(':');
  return colon < 0 ? [name, ''] : [name.slice(colon + 1), name.slice(0, colon)];
}

const DATES = ['lastmod', 'updated', 'modified', 'pubdate', 'date', 'published', 'issued'];
const PRIORITY = /^(?:0?\.\d+|0\.?|1(?:\.0*)?)$/;
const FREQUENCIES = new Set(['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never']);

/** What an entry says beside its address. Invalid values are dropped and noted, never the URL. */
export function entryFacts(
  fields: ReadonlyMap<string, string>,
  notes: Pick<SitemapNotes, 'add'>,
): Omit<SitemapEntry, 'loc'> {
  const dates = DATES.map((name) => fields.get(name) ?? '').filter((text) => text !== '');
  const lastmod = dates.map(parseFeedDate).find((date) => date !== null);
  const priority = fields.get('priority') ?? '';
  const changefreq = fields.get('changefreq')?.toLowerCase() ?? '';
  const isPriority = PRIORITY.test(priority);
  const isFrequency = FREQUENCIES.has(changefreq);
  if (dates.length > 0 && lastmod === undefined)
    notes.add('a date that is none: left out', dates[0]);
  if (!isPriority && priority !== '') {
    notes.add('a priority that is no number from 0 to 1: left out', priority);
  }
  if (!isFrequency && changefreq !== '') notes.add('an unknown changefreq: left out', changefreq);
  return {
    ...(typeof lastmod === 'string' && { lastmod }),
    ...(isPriority && { priority: Number(priority) }),
    ...(isFrequency && { changefreq }),
  };
}
