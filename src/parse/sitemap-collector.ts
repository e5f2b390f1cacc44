/** From the tags of a sitemap, sitemap index, RSS or Atom document to its entries. */

import { MAX_URL_CHARS, parseUrl } from '../url/parse-url.js';
import type { SitemapEntry } from './sitemap.js';
import type { Attributes, TagStreamOptions } from './tag-stream.js';
import { parseFeedDate } from './w3c-date.js';

/** Entries of one file at most, of each kind (sitemaps.org). */
export const MAX_SITEMAP_URLS = 50_000;

/** Collects entries; a limit, a foreign root or a DTD with entities ends it with an error. */
export interface SitemapCollector {
  readonly handlers: Pick<
    TagStreamOptions,
    'onOpenTag' | 'onCloseTag' | 'onText' | 'onDeclaration'
  >;
  add(loc: string, entry?: Omit<SitemapEntry, 'loc'>): boolean;
  addSitemap(loc: string): void;
  /** The document ended: an entry that was left open counts if its address was complete. */
  finish(): void;
  urls(): SitemapEntry[];
  sitemaps(): string[];
  readonly errors: string[];
  /** Nothing after this point is of use. */
  isDone(): boolean;
}

/** Attributes that the collector reads. */
// prettier-ignore
export const SITEMAP_ATTRIBUTES: readonly string[] = [
  'href', 'rel', 'ispermalink', 'xml:base', 'rdf:about',
];

const ROOTS = new Set(['urlset', 'sitemapindex', 'rss', 'feed', 'rdf']);
const ITEMS = new Set(['url', 'sitemap', 'item', 'entry']);
// prettier-ignore
const FIELDS = new Set([
  'loc', 'lastmod', 'changefreq', 'priority', 'link', 'guid', 'pubdate', 'updated', 'published',
]);
/** Entities that were not decoded: an address with one would be another address. */
const UNKNOWN_ENTITY = /&(?!(?:amp|lt|gt|quot|apos);)[a-z][a-z0-9]*;/i;
const FREQUENCIES = new Set(['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never']);

/** @param url where the file came from: feeds have links relative to it */
export function collectSitemap(url: string): SitemapCollector {
  const urls = new Map<string, SitemapEntry>();
  const sitemaps = new Set<string>();
  const errors: string[] = [];
  let root: string | null = null;
  let prefix = '';
  let base = url;
  let item: string | null = null;
  let fields = new Map<string, string>();
  /** Name of the open field, how many elements are open inside it, and its text so far. */
  let field: string | null = null;
  let inner = 0;
  let text = '';
  let hasUnknownEntity = false;
  let isDone = false;

  function fail(message: string): void {
    if (isDone) return;
    errors.push(message);
    isDone = true;
  }

  function add(loc: string, entry: Omit<SitemapEntry, 'loc'> = {}): boolean {
    const parsed = absolute(loc);
    if (parsed === null) return false;
    if (!urls.has(parsed) && urls.size >= MAX_SITEMAP_URLS) {
      fail(`more than ${MAX_SITEMAP_URLS} URLs: the rest is left out`);
      return true;
    }
    if (!urls.has(parsed)) urls.set(parsed, { loc: parsed, ...entry });
    return true;
  }

  function addSitemap(loc: string): void {
    const parsed = absolute(loc);
    if (parsed === null) return;
    if (!sitemaps.has(parsed) && sitemaps.size >= MAX_SITEMAP_URLS) {
      fail(`more than ${MAX_SITEMAP_URLS} sitemaps: the rest is left out`);
      return;
    }
    sitemaps.add(parsed);
  }

  /** Sitemaps must list absolute URLs; a path is understood all the same, a bare word is not. */
  function absolute(loc: string): string | null {
    const trimmed = loc.trim();
    const isFeed = root === 'rss' || root === 'feed' || root === 'rdf';
    if (isFeed || (root !== null && /^\/(?!$)/.test(trimmed)))
      return trimmed === '' ? null : parseUrl(trimmed, base);
    return parseUrl(trimmed);
  }

  function endItem(): void {
    if (item === null) return;
    const loc = fields.get('loc') ?? fields.get('link') ?? fields.get('guid');
    if (loc !== undefined && hasUnknownEntity) {
      errors.push(`an undefined entity in ${loc.slice(0, 200)}: left out`);
    } else if (loc !== undefined) {
      if (item === 'sitemap') addSitemap(loc);
      else add(loc, entryOf(fields));
    }
    item = null;
    field = null;
    fields = new Map();
    hasUnknownEntity = false;
  }

  function openField(name: string, attributes: Attributes): void {
    const href = attributes.get('href');
    if (name === 'link' && href !== undefined) {
      // Atom: the alternate is the page, a link without rel is one; of several the first counts.
      if ((attributes.get('rel') ?? 'alternate') !== 'alternate') return;
      if (!fields.has('link')) fields.set('link', href);
      return;
    }
    if (name === 'guid' && attributes.get('ispermalink')?.toLowerCase() === 'false') return;
    field = name;
    inner = 0;
    text = '';
  }

  return {
    errors,
    add,
    addSitemap,
    isDone: () => isDone,
    finish: endItem,
    urls: () => [...urls.values()],
    sitemaps: () => [...sitemaps],
    handlers: {
      onDeclaration(declaration) {
        if (/^doctype\b.*\[|^(?:entity|element|attlist|notation)\b/is.test(declaration)) {
          fail('a DTD with declarations: refused, because entities are never expanded');
        }
      },
      onOpenTag(fullName, attributes) {
        if (isDone) return;
        const [name, ownPrefix] = splitName(fullName);
        if (root === null) {
          root = name;
          // RSS 1.0: only the root is in the RDF namespace.
          prefix = name === 'rdf' ? '' : ownPrefix;
          base = parseUrl(attributes.get('xml:base') ?? '', url) ?? url;
          if (!ROOTS.has(name))
            fail(`no sitemap or feed: its root element is <${fullName.slice(0, 50)}>`);
        } else if (field !== null) {
          inner++;
        } else if (ownPrefix !== prefix) {
          return;
        } else if (ITEMS.has(name)) {
          endItem();
          item = name;
        } else if (item !== null && FIELDS.has(name)) {
          openField(name, attributes);
        }
      },
      onCloseTag(fullName) {
        const [name, ownPrefix] = splitName(fullName);
        if (field !== null && (ownPrefix !== prefix || name !== field)) {
          if (inner > 0) inner--;
          // The item ends with its field still open: the closing tag of the field is missing.
          else if (name === item) endItem();
        } else if (field !== null) {
          if (!fields.has(field) && text.length <= MAX_URL_CHARS) fields.set(field, text.trim());
          field = null;
        } else if (ownPrefix === prefix && name === item) {
          endItem();
        }
      },
      onText(piece) {
        // Text of elements inside the field is not the field's own.
        if (field === null || inner > 0 || text.length > MAX_URL_CHARS) return;
        text += piece;
        if (UNKNOWN_ENTITY.test(piece)) hasUnknownEntity = true;
      },
    },
  };
}

function splitName(name: string): [local: string, prefix: string] {
  const colon = name.indexOf(':');
  return colon < 0 ? [name, ''] : [name.slice(colon + 1), name.slice(0, colon)];
}

/** Invalid values are dropped, never the URL. */
function entryOf(fields: ReadonlyMap<string, string>): Omit<SitemapEntry, 'loc'> {
  const date =
    fields.get('lastmod') ??
    fields.get('updated') ??
    fields.get('pubdate') ??
    fields.get('published');
  const lastmod = date === undefined ? null : parseFeedDate(date);
  const priority = fields.get('priority') ?? '';
  const changefreq = fields.get('changefreq')?.toLowerCase() ?? '';
  return {
    ...(lastmod === null ? {} : { lastmod }),
    ...(/^(?:0?\.\d+|0|1(?:\.0*)?|0\.)$/.test(priority) ? { priority: Number(priority) } : {}),
    ...(FREQUENCIES.has(changefreq) ? { changefreq } : {}),
  };
}
