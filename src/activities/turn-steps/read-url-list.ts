/** What a sitemap lists, and what a page of the crawl lists that is a feed or sitemap itself. */
import type { FetchResponse } from '../../fetch/fetch-types.js';
import { parseXRobotsTag } from '../../parse/page/meta-robots.js';
import { isFeed } from '../../parse/sitemap/sitemap-format.js';
import { parseSitemap, type SitemapDocument } from '../../parse/sitemap/sitemap.js';
import { discoverMany, type Discovery, type FoundUrl } from '../discover.js';
import { sitemapTrust } from '../sitemap-trust.js';
import { recordOf, type StepEnd, type TurnScope } from './turn-scope.js';

type DocumentEnd = Pick<StepEnd, 'completion' | 'record' | 'discovered'>;

/** Characters of a sitemap's faults that its record keeps. */
const MAX_REASON_CHARS = 1000;

/** The end of a step on a sitemap that was named. Its record says what was wrong with it. */
export async function readSitemap(
  scope: TurnScope,
  response: FetchResponse,
  facts: Partial<StepEnd['record']>,
): Promise<DocumentEnd> {
  const { item } = scope;
  const sitemap = await parse(response);
  const found = listedUrls(sitemap, 'M', false);
  const { admitted, rejected, faults } = await offer(scope, response, sitemap, found);
  const isSitemap = sitemap.format !== null;
  const outcome = isSitemap ? 'fetched' : 'skipped';
  const reason = faults.join('; ').slice(0, MAX_REASON_CHARS) || null;
  return {
    completion: {
      ...{ url: item.url, outcome, rejected },
      ...(!isSitemap && { reason: 'unsupportedType' }),
    },
    record: recordOf(scope, { outcome, reason, ...facts, links: found.length }),
    discovered: admitted,
  };
}

/**
 * What a fetched page lists that is a feed or a sitemap, by the options `feeds` and `sitemaps`; null
 * where it is neither, or is not to be followed. X-Robots-Tag: nofollow holds as for any page.
 */
export async function readListedLinks(
  scope: TurnScope,
  response: FetchResponse,
): Promise<(Discovery & { readonly links: number }) | null> {
  const { settings } = scope.context;
  const document = await parse(response);
  const { format } = document;
  if (format === null || format === 'text') return null;
  if (!(isFeed(format) ? settings.feeds : settings.sitemaps)) return null;
  const tags = response.headers['x-robots-tag'] ?? [];
  const { nofollow } = parseXRobotsTag(tags, settings.robotsAgent);
  const found = listedUrls(document, isFeed(format) ? 'S' : 'M', nofollow);
  return { ...(await offer(scope, response, document, found)), links: found.length };
}

function parse(response: FetchResponse): Promise<SitemapDocument> {
  return parseSitemap(response.body, { url: response.url, contentType: response.contentType });
}

function listedUrls(document: SitemapDocument, hop: 'M' | 'S', nofollow: boolean): FoundUrl[] {
  return [
    ...document.sitemaps.map<FoundUrl>((url) => ({ url, hop, kind: 'sitemap', nofollow })),
    ...document.urls.map<FoundUrl>(({ loc }) => ({ url: loc, hop, kind: 'page', nofollow })),
  ];
}

/** A feed links like any page; a sitemap speaks for its own site, and for whoever named it. */
async function offer(
  scope: TurnScope,
  response: FetchResponse,
  { format, errors }: SitemapDocument,
  found: readonly FoundUrl[],
): Promise<Discovery & { readonly faults: readonly string[] }> {
  const parent = { ...scope.item, url: response.url };
  const isTrusted = isFeed(format)
    ? () => true
    : sitemapTrust(parent, scope.item.kind === 'sitemap');
  // An index may name sitemaps anywhere: they speak for themselves, and scope holds for them.
  const own = found.filter(({ url, kind }) => kind === 'sitemap' || isTrusted(url));
  const { admitted, rejected } = await discoverMany(scope.context, parent, own);
  const foreign = found.length - own.length;
  const faults = response.truncated
    ? [...errors, `longer than ${response.body.length} bytes: the rest is left out`]
    : [...errors];
  if (foreign > 0) {
    rejected.outOfScope = (rejected.outOfScope ?? 0) + foreign;
    faults.push(`URLs of sites whose robots.txt does not name this file: left out (${foreign})`);
  }
  return { admitted, rejected, faults };
}
