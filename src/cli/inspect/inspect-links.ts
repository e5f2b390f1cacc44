/** What the crawl takes from a page: its links and what it says to crawlers. */
import { sitemapTrust } from '../../activities/sitemap-trust.js';
import type { Link } from '../../contracts/urls.js';
import { contentKind, type ContentKind } from '../../parse/content-kind.js';
import { parseDocument } from '../../parse/document.js';
import { beginsLikeUrlList } from '../../parse/sitemap/feed-sniff.js';
import { isFeed, type SitemapFormat } from '../../parse/sitemap/sitemap-format.js';
import { parseSitemap } from '../../parse/sitemap/sitemap.js';
import { requireUrl } from '../../url/parse-url.js';
import type { RequestFields } from './request-fields.js';

/** Fields of a request. */
export const LINKS_FIELDS = ['html', 'htmlBase64', 'contentType', 'base'] as const;

/** The crawl's switches that matter here. */
export interface LinksSwitches {
  /** Product token that meta robots may name. */
  readonly robotsAgent: string;
  readonly embeds: boolean;
  readonly forms: boolean;
  readonly textLinks: boolean;
}

/** A link of a page, or what a page lists that is a feed or a sitemap. */
export type InspectedLink = Omit<Link, 'kind'> & {
  readonly kind: Link['kind'] | 'feed' | 'sitemap';
};

/** What stands in the answer to a program. */
export interface LinksAnswer {
  readonly links: readonly InspectedLink[];
  /** By meta robots. */
  readonly noindex: boolean;
  /** By meta robots: of the page, on top of the links' own. */
  readonly nofollow: boolean;
  readonly canonical: string | null;
  /** Encoding that the body was read in; null for one that is not read. */
  readonly charset: string | null;
  readonly title: string | null;
}

/** The answer, and what only people are told. */
export interface LinksFinding {
  readonly answer: LinksAnswer;
  /** What the crawl takes the body for: HTML, feeds and sitemaps have links; by option style sheets and text. */
  readonly kind: ContentKind | SitemapFormat;
  /** A bound was reached: there may be more links. */
  readonly truncated: boolean;
}

const NOTHING: LinksAnswer = {
  links: [],
  noindex: false,
  nofollow: false,
  canonical: null,
  charset: null,
  title: null,
};

/** @throws CONFIG_INVALID_OPTION, URL_INVALID, URL_UNSUPPORTED_SCHEME */
export async function inspectLinks(
  fields: RequestFields,
  switches: LinksSwitches,
): Promise<LinksFinding> {
  const url = requireUrl(fields.required('base', '"https://example.com/page"'), 'base');
  const contentType = fields.text('contentType');
  const body = fields.body('html', 'htmlBase64');
  const kind = contentKind(contentType, body);
  if (kind === 'xml' || (kind !== 'binary' && beginsLikeUrlList(body))) {
    const list = await listedLinks(body, url, contentType);
    if (list !== null) return list;
  }
  if (kind === 'xml' || kind === 'binary') return { answer: NOTHING, kind, truncated: false };
  const page = await parseDocument(body, { url, contentType, ...switches });
  const { links, noindex, nofollow, canonical, charset, title, truncated } = page;
  return { answer: { links, noindex, nofollow, canonical, charset, title }, kind, truncated };
}

/** A feed links like any page; a sitemap that nobody named speaks for its own site only. */
async function listedLinks(
  body: Buffer,
  url: string,
  contentType: string | null,
): Promise<LinksFinding | null> {
  const { format, urls, sitemaps } = await parseSitemap(body, { url, contentType });
  if (format === null || format === 'text') return null;
  const kind = isFeed(format) ? 'feed' : 'sitemap';
  const isTrusted = isFeed(format) ? () => true : sitemapTrust({ url, via: '' }, false);
  const found = [...sitemaps, ...urls.map(({ loc }) => loc).filter(isTrusted)];
  const links = found.map((loc) => ({ url: loc, kind, nofollow: false }) as const);
  return { answer: { ...NOTHING, links }, kind: format, truncated: false };
}
