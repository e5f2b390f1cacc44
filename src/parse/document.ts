/**
 * Links of a body of any kind that has some.
 *
 * `charset` tells encodings and decodes; `markup` reads HTML and XML into elements and text; `links` are
 * what elements, headers, styles and texts lead to; `page` puts a page together; `sitemap` reads sitemaps
 * and feeds.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { contentKind } from './content-kind.js';
import { detectTextCharset } from './charset/detect-charset.js';
import { createDecoder } from './charset/encodings.js';
import { cssUrls, MAX_CSS_CHARS } from './links/css-urls.js';
import { headerLinks } from './links/header-links.js';
import {
  MAX_HTML_BYTES,
  MAX_LINKS,
  parseHtml,
  type HtmlDocument,
  type HtmlInput,
} from './page/html.js';
import { LinkBag } from './links/link-bag.js';
import { parseMimeType } from './mime-type.js';
import { parseXRobotsTag } from './page/meta-robots.js';
import { resolveLinks } from './links/resolve-links.js';
import { TextRun } from './links/text-links.js';

/** Bytes of a text that are read without a pause. */
const CHUNK_BYTES = 64 * 1024;

/** A page, a style sheet or a plain text; the latter two say nothing but links. */
export type LinkedDocument = Omit<HtmlDocument, 'textDigest'> & { readonly textDigest?: string };

/**
 * Read a body that may have links: HTML always, a style sheet with `embeds`, plain text with
 * `textLinks`; of any other body only headers lead on. Total, as parseHtml is.
 */
export async function parseDocument(body: Buffer, input: HtmlInput): Promise<LinkedDocument> {
  if (contentKind(input.contentType, body) === 'html') return parseHtml(body, input);
  const type = parseMimeType(input.contentType)?.essence;
  const maxLinks = input.maxLinks ?? MAX_LINKS;
  const bag = new LinkBag(maxLinks);
  const charset = detectTextCharset(body, input.contentType);
  const isCss = type === 'text/css' && input.embeds === true;
  const isText = input.textLinks === true && (type === 'text/plain' || type === 'text/markdown');
  const maxBytes = Math.min(
    input.maxBytes ?? MAX_HTML_BYTES,
    isCss ? MAX_CSS_CHARS : MAX_HTML_BYTES,
  );
  if (isCss || isText) {
    const add = (kind: 'css' | 'text') => (href: string) =>
      bag.add({ href, kind, nofollow: false, isCanonical: false, scope: null });
    const decoder = createDecoder(charset);
    const end = Math.min(body.length, maxBytes);
    if (isCss) {
      cssUrls(decoder.decode(body.subarray(0, end), true)).forEach(add('css'));
    } else {
      const run = new TextRun(add('text'));
      for (let at = 0; at < end; at += CHUNK_BYTES) {
        if (at > 0) await nextTurn();
        const next = Math.min(end, at + CHUNK_BYTES);
        run.add(decoder.decode(body.subarray(at, next), next === end));
      }
      run.flush();
    }
  }
  const origin = { url: input.url, charset, maxLinks };
  const { links, dropped } = await resolveLinks([...bag.all, ...headerLinks(input)], origin);
  const isCut = (isCss || isText) && body.length > maxBytes;
  return {
    links,
    title: null,
    base: input.url,
    charset,
    ...parseXRobotsTag(input.xRobotsTag ?? [], input.robotsAgent),
    canonical: null,
    truncated: isCut || bag.dropped + dropped > 0,
    dropped: bag.dropped + dropped,
  };
}
