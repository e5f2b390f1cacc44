/** What a response says: links of a page, URLs of a sitemap; and its record. */
import type { FetchResponse } from '../../fetch/fetch-types.js';
import { digestOf } from '../../output/digest.js';
import { contentKind } from '../../parse/content-kind.js';
import { beginsLikeUrlList } from '../../parse/sitemap/feed-sniff.js';
import { parseDocument } from '../../parse/document.js';
import { EMBED_KINDS } from '../../parse/links/link-bag.js';
import { parseXRobotsTag } from '../../parse/page/meta-robots.js';
import { discoverMany, endsAtEmbed, type FoundUrl } from '../discover.js';
import { readListedLinks, readSitemap } from './read-url-list.js';
import { recordOf, type StepEnd, type TurnScope } from './turn-scope.js';

type DocumentEnd = Pick<StepEnd, 'completion' | 'record' | 'discovered'>;

export async function readDocument(
  scope: TurnScope,
  response: FetchResponse,
): Promise<DocumentEnd> {
  const { item } = scope;
  const { body } = response;
  const facts = {
    status: response.status,
    contentType: response.contentType,
    finalUrl: response.url,
    bytes: body.length,
    fetchedAt: new Date(response.startedAtMs).toISOString(),
    fetchMs: Math.round(response.durationMs),
    digest: response.bodyRead ? digestOf(body) : null,
  };
  if (item.kind === 'sitemap') return readSitemap(scope, response, facts);
  const { robotsAgent, embeds, forms, textLinks } = scope.context.settings;
  const xRobotsTag = response.headers['x-robots-tag'];
  const kind = response.bodyRead ? contentKind(response.contentType, body) : 'binary';
  const isEmbed = embeds && endsAtEmbed(item.hops) && response.bodyRead;
  if (kind === 'binary' && !isEmbed) {
    return {
      completion: { url: item.url, outcome: 'skipped', reason: 'unsupportedType' },
      record: recordOf(scope, { outcome: 'skipped', reason: 'unsupportedType', ...facts }),
    };
  }
  const isList = kind === 'xml' || beginsLikeUrlList(body);
  const list = isList ? await readListedLinks(scope, response) : null;
  if (kind === 'xml' || kind === 'binary' || list !== null) {
    return {
      completion: {
        ...{ url: item.url, outcome: 'fetched', bytes: body.length },
        ...(list && { rejected: list.rejected }),
      },
      record: recordOf(scope, {
        outcome: 'fetched',
        reason: null,
        ...facts,
        links: list?.links ?? 0,
        noindex: parseXRobotsTag(xRobotsTag ?? [], robotsAgent).noindex,
      }),
      ...(list && { discovered: list.admitted }),
    };
  }
  const page = await parseDocument(body, {
    url: response.url,
    contentType: response.contentType,
    xRobotsTag,
    linkHeader: response.headers['link'],
    refreshHeader: response.headers['refresh'],
    ...{ robotsAgent, embeds, forms, textLinks },
  });
  const found = page.links.map<FoundUrl>((link) => {
    // A page's nofollow is about where its links lead, not about what it shows.
    const isShown = EMBED_KINDS.has(link.kind);
    const nofollow = link.nofollow || (page.nofollow && !isShown);
    return { url: link.url, hop: isShown ? 'E' : 'L', kind: 'page', nofollow };
  });
  const parent = { ...item, url: response.url };
  const { admitted, rejected } = await discoverMany(scope.context, parent, found);
  // Nothing is left out in silence.
  if (page.dropped > 0) rejected.trap = (rejected.trap ?? 0) + page.dropped;
  return {
    completion: {
      ...{ url: item.url, outcome: 'fetched', bytes: body.length, rejected },
      ...(page.textDigest !== undefined && { textDigest: page.textDigest }),
    },
    record: recordOf(scope, {
      outcome: 'fetched',
      reason: null,
      ...facts,
      title: page.title,
      textDigest: page.textDigest ?? null,
      links: page.links.length,
      truncated: page.truncated || response.truncated,
      noindex: page.noindex,
    }),
    discovered: admitted,
  };
}
