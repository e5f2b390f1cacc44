/** Answers as people read them. Pure. */
import { counted, formatCount, plain } from '../display/format.js';
import { pairLines, Table } from '../control/table.js';
import type { LinksFinding } from './inspect-links.js';
import type { RobotsAnswer } from './inspect-robots.js';
import type { SitemapAnswer } from './inspect-sitemap.js';
import type { UrlAnswer } from './inspect-url.js';

const NONE = 'none';

const shown = (text: string | null): string => (text === null ? NONE : plain(text));

/** `inspect url`. @param base the page that was named, if one was */
export function urlLines(answer: UrlAnswer, base?: string): string[] {
  if (answer.resolved === null) {
    const hint = base === undefined ? '; what stands on a page needs --base <url>' : '';
    return [`no URL: the crawl leaves such a link out${hint}`];
  }
  const lines = pairLines([
    ['resolved', shown(answer.resolved)],
    ['canonical', shown(answer.canonical)],
    ['fingerprint', shown(answer.fingerprint)],
    ['host key', shown(answer.hostKey)],
    ['registered domain', shown(answer.registeredDomain)],
  ]);
  if (answer.canonical !== null) return lines;
  return [...lines, 'never crawled: only http and https URLs of at most 16,384 characters are'];
}

/** `inspect robots`. */
export function robotsLines(answer: RobotsAnswer, userAgent: string): string[] {
  const { allowed, rule, crawlDelay, sitemaps } = answer;
  const verdict = allowed ? 'allowed' : 'forbidden';
  const because = rule === null ? 'no rule applies' : `by the line "${plain(rule)}"`;
  return [
    `${verdict} to ${plain(userAgent)}: ${because}`,
    ...pairLines([
      ['crawl delay', crawlDelay === null ? NONE : `${String(crawlDelay)} s`],
      ['sitemaps', sitemaps.length === 0 ? NONE : sitemaps.map(plain).join(' ')],
    ]),
  ];
}

/** `inspect links`. */
export function linksLines({ answer, kind, truncated }: LinksFinding): string[] {
  const { links, noindex, nofollow, canonical, charset, title } = answer;
  if (kind !== 'html' && links.length === 0) {
    return [`no links: the crawl takes it for ${kind}, not for HTML`];
  }
  const said = [noindex ? 'noindex' : '', nofollow ? 'nofollow' : ''].filter((word) => word !== '');
  const table = new Table([{ title: 'KIND', minWidth: 7 }, { title: 'REL' }, { title: 'URL' }]);
  const rows = links.map((link) => [link.kind, link.nofollow ? 'nofollow' : '', plain(link.url)]);
  return [
    ...pairLines([
      ['taken for', kind],
      ['title', shown(title)],
      ['charset', shown(charset)],
      ['canonical', shown(canonical)],
      ['meta robots', said.length === 0 ? NONE : said.join(', ')],
      [
        'links',
        `${formatCount(links.length)}${truncated ? ' (a bound was reached: there may be more)' : ''}`,
      ],
    ]),
    ...(rows.length === 0 ? [] : ['', ...table.lines(rows)]),
  ];
}

/** `inspect sitemap`. */
export function sitemapLines({ urls, sitemaps, errors }: SitemapAnswer): string[] {
  const table = new Table([
    { title: 'LASTMOD', minWidth: 10 },
    { title: 'PRIORITY', align: 'right' },
    { title: 'CHANGES' },
    { title: 'URL' },
  ]);
  const rows = urls.map(({ loc, lastmod, priority, changefreq }) => [
    lastmod ?? '',
    priority === null ? '' : String(priority),
    changefreq ?? '',
    plain(loc),
  ]);
  return [
    `${counted(urls.length, 'URL')}, ${counted(sitemaps.length, 'sitemap')}, ${counted(errors.length, 'error')}`,
    ...errors.map((error) => `error: ${plain(error)}`),
    ...sitemaps.map((loc) => `sitemap: ${plain(loc)}`),
    ...(rows.length === 0 ? [] : ['', ...table.lines(rows)]),
  ];
}
