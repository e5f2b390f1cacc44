/** Bodies: HTML pages, sitemaps and files, the same for the same URL in every run. */
import { words } from './host-builder.js';
import { createRandom } from './random.js';
import type { Random } from './random.js';
import type { FileResource, Link, PageResource, SitemapResource } from './resource.js';

/** HTML of a page, some KB of text with its links strewn in. */
export function renderPage(url: string, page: PageResource): string {
  const random = createRandom(url);
  const head = [
    '<meta charset="utf-8">',
    `<title>${escapeHtml(page.title)}</title>`,
    ...(page.baseHref === undefined ? [] : [`<base href="${escapeHtml(page.baseHref)}">`]),
    ...(page.robotsMeta === undefined
      ? []
      : [`<meta name="robots" content="${escapeHtml(page.robotsMeta)}">`]),
    ...page.embeds
      .filter((path) => path.endsWith('.css'))
      .map((path) => `<link rel="stylesheet" href="${path}">`),
  ];
  const images = page.embeds.filter((path) => !path.endsWith('.css'));
  const blocks = [
    `<h1>${escapeHtml(page.title)}</h1>`,
    ...images.map((path) => `<img src="${path}" alt="">`),
    ...page.links.map((link) => paragraph(random, renderLink(link))),
    paragraph(random, ''),
    page.phantomMarkup,
  ];
  const padding: string[] = [];
  let padded = 0;
  while (padded < (page.padToBytes ?? 0)) {
    const block = paragraph(random, '');
    padding.push(block);
    padded += block.length;
  }
  const body = [...blocks, ...padding].join('\n');
  return `<!doctype html>\n<html lang="en">\n<head>\n${head.join('\n')}\n</head>\n<body>\n${body}\n</body>\n</html>\n`;
}

/** XML of a sitemap or of an index of sitemaps. */
export function renderSitemap(sitemap: SitemapResource): string {
  const [outer, inner] = sitemap.form === 'index' ? ['sitemapindex', 'sitemap'] : ['urlset', 'url'];
  const entries = sitemap.entries.map(
    (url) => `  <${inner}><loc>${escapeHtml(url)}</loc><lastmod>2024-01-31</lastmod></${inner}>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${outer} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
    ...entries,
    `</${outer}>\n`,
  ].join('\n');
}

/** Bytes of a file; their start looks like the type it claims. */
export function renderFile(url: string, file: FileResource): Buffer {
  const magic = file.contentType.startsWith('image/png')
    ? Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    : Buffer.from(file.contentType === 'application/pdf' ? '%PDF-1.4\n' : `/* ${url} */\n`);
  return Buffer.concat([magic, Buffer.alloc(Math.max(0, file.bytes - magic.length), 'x')]);
}

function paragraph(random: Random, link: string): string {
  const before = words(random, 12 + random.int(20));
  const after = words(random, 8 + random.int(16));
  return `<p>${before} ${link} ${after}.</p>`;
}

function renderLink(link: Link): string {
  const rel = link.nofollow ? ' rel="noopener nofollow"' : '';
  return `<a${rel} href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
