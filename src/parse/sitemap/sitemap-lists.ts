/** The entries of one file as they come: each URL once, in order, bounded. */

import { parseUrl } from '../../url/parse-url.js';
import { createSitemapNotes, type SitemapNotes } from './sitemap-notes.js';
import type { SitemapEntry } from './sitemap.js';

/** Entries of one file at most, of each kind. @see https://www.sitemaps.org/protocol.html#index */
export const MAX_SITEMAP_URLS = 50_000;
/** Entries that are looked at, repeated and unusable ones too: 50 MB have room for millions. */
const MAX_ENTRIES = 4 * MAX_SITEMAP_URLS;

/** Takes addresses; a limit or a fault that ends the file makes it done. */
export interface SitemapLists {
  /**
   * @param base what a relative address is relative to; none: it must be absolute
   * @returns is it an http(s) URL
   */
  add(loc: string, base?: string, facts?: Omit<SitemapEntry, 'loc'>): boolean;
  addSitemap(loc: string, base?: string): void;
  /** Nothing after this is of use, for this reason. */
  fail(message: string): void;
  isDone(): boolean;
  readonly notes: SitemapNotes;
  urls(): SitemapEntry[];
  sitemaps(): string[];
}

export function createSitemapLists(): SitemapLists {
  const urls = new Map<string, SitemapEntry>();
  const sitemaps = new Map<string, true>();
  const all = createSitemapNotes();
  let isDone = false;
  let entries = 0;
  const notes: SitemapNotes = {
    // What comes after the end of use is not looked at.
    add: (message, example) => {
      if (!isDone) all.add(message, example);
    },
    list: () => all.list(),
  };

  function fail(message: string): void {
    notes.add(message);
    isDone = true;
  }

  function put<T>(
    list: Map<string, T>,
    what: string,
    loc: string,
    base: string | undefined,
    value: (url: string) => T,
  ): boolean {
    entries += 1;
    if (entries > MAX_ENTRIES) fail(`more than ${MAX_ENTRIES} entries: the rest is left out`);
    if (isDone) return true;
    const url = parseUrl(loc.trim(), base);
    if (url === null) {
      notes.add('an address that is no absolute http(s) URL: left out', loc);
      return false;
    }
    if (list.has(url)) return true;
    if (list.size >= MAX_SITEMAP_URLS) {
      fail(`more than ${MAX_SITEMAP_URLS} ${what}: the rest is left out`);
      return true;
    }
    if (loc.includes('\ufffd')) notes.add('bytes that the encoding of the file does not have', loc);
    list.set(url, value(url));
    return true;
  }

  return {
    add: (loc, base, facts = {}) => put(urls, 'URLs', loc, base, (url) => ({ loc: url, ...facts })),
    addSitemap: (loc, base) => void put(sitemaps, 'sitemaps', loc, base, () => true),
    fail,
    isDone: () => isDone,
    notes,
    urls: () => [...urls.values()],
    sitemaps: () => [...sitemaps.keys()],
  };
}
