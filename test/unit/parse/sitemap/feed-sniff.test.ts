import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginsLikeUrlList } from '../../../../src/parse/sitemap/feed-sniff.js';

const sniff = (text: string) => beginsLikeUrlList(Buffer.from(text));

describe('a feed or sitemap under a wrong type', () => {
  it.each([
    '<rss version="2.0">',
    '\ufeff\n <feed xmlns="http://www.w3.org/2005/Atom">',
    '<?xml version="1.0"?><!-- <html> --><!DOCTYPE rss SYSTEM "x">\n<rss>',
    '<rdf:RDF xmlns:rdf="x">',
    '<urlset>',
    '<?xml version="1.0"?><?xml-stylesheet href="a>b"?><sitemapindex\n>',
  ])('is known by its root: %s', (text) => expect(sniff(text)).toBe(true));

  it.each([
    '',
    '<!DOCTYPE html><html>',
    '<html><body><rss>',
    '<rssfeed>',
    'rss',
    '<!-- <rss> ',
    '<?xml version="1.0"?><svg>',
    ' '.repeat(2000) + '<rss>',
  ])('is not: %j', (text) => expect(sniff(text)).toBe(false));

  it('takes any bytes, in linear time', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (body) => void beginsLikeUrlList(body)),
    );
    expect(sniff('<!--x-->'.repeat(1e5))).toBe(false);
  });
});
