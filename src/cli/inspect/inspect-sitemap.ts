/** What the crawl takes from a sitemap. */
import { parseSitemap, type SitemapEntry } from '../../parse/sitemap/sitemap.js';
import { requireUrl } from '../../url/parse-url.js';
import type { RequestFields } from './request-fields.js';

/** Fields of a request. */
export const SITEMAP_FIELDS = ['body', 'bodyBase64', 'url', 'contentType'] as const;

/** One page; null is what the sitemap does not say. */
export interface SitemapUrl {
  readonly loc: string;
  /** ISO 8601, UTC. */
  readonly lastmod: string | null;
  /** 0 to 1. */
  readonly priority: number | null;
  readonly changefreq: string | null;
}

export interface SitemapAnswer {
  readonly urls: readonly SitemapUrl[];
  /** Child sitemaps. */
  readonly sitemaps: readonly string[];
  /** What was wrong; the rest is what could be used all the same. */
  readonly errors: readonly string[];
}

/** @throws CONFIG_INVALID_OPTION, URL_INVALID, URL_UNSUPPORTED_SCHEME */
export async function inspectSitemap(fields: RequestFields): Promise<SitemapAnswer> {
  const url = requireUrl(fields.required('url', '"https://example.com/sitemap.xml"'), 'url');
  const contentType = fields.text('contentType');
  const { urls, sitemaps, errors } = await parseSitemap(fields.body('body', 'bodyBase64'), {
    url,
    contentType,
  });
  return { urls: urls.map(entryOf), sitemaps, errors };
}

function entryOf({ loc, lastmod, priority, changefreq }: SitemapEntry): SitemapUrl {
  return {
    loc,
    lastmod: lastmod ?? null,
    priority: priority ?? null,
    changefreq: changefreq ?? null,
  };
}
