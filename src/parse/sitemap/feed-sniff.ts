/** Feeds and sitemaps that are served as HTML or plain text. Pure. */

/** Bytes that are looked at: the resource header of the MIME Sniffing standard. */
const SNIFF_BYTES = 1445;

/** What may come before the root element: how it begins and how it ends. */
const PROLOG = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;

/**
 * Does a body begin like a feed or sitemap, whatever its type says? Comments, declarations and
 * processing instructions may come first.
 *
 * @see https://mimesniff.spec.whatwg.org/#sniffing-a-mislabeled-feed
 */
export function beginsLikeUrlList(body: Uint8Array): boolean {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(SNIFF_BYTES, body.length));
  let text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  for (;;) {
    text = text.trimStart();
    const prolog = PROLOG.find(([start]) => text.startsWith(start));
    if (prolog === undefined) break;
    const [start, end] = prolog;
    const at = text.indexOf(end, start.length);
    if (at < 0) return false;
    text = text.slice(at + end.length);
  }
  return /^<(?:rss|feed|rdf:rdf|urlset|sitemapindex)[\s>]/i.test(text);
}
