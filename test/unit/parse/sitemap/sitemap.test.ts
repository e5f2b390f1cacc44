import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gunzip } from '../../../../src/parse/sitemap/sitemap-gunzip.js';
import { MAX_SITEMAP_URLS } from '../../../../src/parse/sitemap/sitemap-lists.js';
import { createSitemapReader } from '../../../../src/parse/sitemap/sitemap-reader.js';
import { MAX_SITEMAP_BYTES, parseSitemap } from '../../../../src/parse/sitemap/sitemap.js';
import { parseFeedDate, parseW3cDate } from '../../../../src/parse/sitemap/w3c-date.js';

const URL = 'http://h.example/sitemap.xml';
const parse = (body: string | Buffer, contentType: string | null = null) =>
  parseSitemap(Buffer.from(body), { url: URL, contentType });

const entries = (count: number) =>
  Array.from({ length: count }, (_, i) => `<url><loc>http://h.example/${i}</loc></url>`).join('');
const urlset = (inner: string) => `<urlset>${inner}</urlset>`;

describe('the limits of a sitemap', () => {
  it('are 50,000 URLs: more are left out, and that is said', async () => {
    const full = await parse(urlset(entries(MAX_SITEMAP_URLS)));
    expect(full.urls).toHaveLength(MAX_SITEMAP_URLS);
    expect(full.errors).toEqual([]);
    const over = await parse(urlset(entries(MAX_SITEMAP_URLS + 1)));
    expect(over.urls).toHaveLength(MAX_SITEMAP_URLS);
    expect(over.errors).toEqual(['more than 50000 URLs: the rest is left out']);
    const again = await parse(urlset(entries(MAX_SITEMAP_URLS) + entries(10)));
    expect(again.errors).toEqual([]);
  });

  it('are 50,000 sitemaps of an index', async () => {
    const index = entries(MAX_SITEMAP_URLS + 1).replaceAll('url>', 'sitemap>');
    const { sitemaps, errors } = await parse(`<sitemapindex>${index}</sitemapindex>`);
    expect(sitemaps).toHaveLength(MAX_SITEMAP_URLS);
    expect(errors).toEqual(['more than 50000 sitemaps: the rest is left out']);
  });

  it('are 200,000 entries looked at, repeated ones too', async () => {
    const again = '<url><loc>http://h.example/a</loc></url>'.repeat(200_000);
    const full = await parse(urlset(again));
    expect([full.urls.length, full.errors]).toEqual([1, []]);
    const over = await parse(urlset(`${again}${entries(1)}${entries(2)}`));
    expect(over.urls).toEqual([{ loc: 'http://h.example/a' }]);
    expect(over.errors).toEqual(['more than 200000 entries: the rest is left out']);
  });

  it('are not reached by entries that list nothing', async () => {
    const { urls, errors } = await parse(urlset('<url/>'.repeat(200_001) + entries(1)));
    expect(urls).toHaveLength(1);
    expect(errors).toEqual(['<url> without an address (200001 times)']);
  });

  it.each([
    ['plain', (body: Buffer) => body],
    ['gzip', (body: Buffer) => gzipSync(body)],
    ['gzip in gzip', (body: Buffer) => gzipSync(gzipSync(body))],
  ])('are 50 MB, unpacked: %s', async (_name, wrap) => {
    const blanks = Buffer.alloc(MAX_SITEMAP_BYTES, ' ');
    const parts = [`<urlset>${entries(1)}`, blanks, entries(2), '</urlset>'];
    const { urls, errors } = await parse(
      wrap(Buffer.concat(parts.map((part) => Buffer.from(part)))),
    );
    expect(urls).toEqual([{ loc: 'http://h.example/0' }]);
    expect(errors).toEqual(['more than 52428800 bytes: the rest is left out']);
  });

  it('say a fault once, with its count and an example', async () => {
    const { errors } = await parse(urlset('<url><loc>x</loc></url>'.repeat(40_000)));
    expect(errors).toEqual([
      'an address that is no absolute http(s) URL: left out (40000 times, first x)',
    ]);
  });

  it.each([
    ['deep nesting', `<urlset>${'<x>'.repeat(1e6)}${'</y>'.repeat(1e6)}`],
    ['one endless address', `<urlset><url><loc>${'x'.repeat(3e6)}`],
    ['one endless line', 'http://h.example/'.repeat(2e5)],
    ['one endless tag', `<urlset ${'x="y" '.repeat(5e5)}`],
    ['one endless comment', `<urlset><!-- ${'<url>'.repeat(6e5)}`],
    ['end tags only', `<urlset>${'</url>'.repeat(1e6)}`],
    ['ampersands only', `<urlset><url><loc>${'&'.repeat(2e6)}</loc></url></urlset>`],
  ])('hold for %s, in linear time', async (_name, body) => {
    expect((await parse(body)).urls).toEqual([]);
  });
});

describe('damaged gzip', () => {
  const body = urlset(entries(20_000));

  it('that is cut gives all that is there', async () => {
    const { urls, errors } = await parse(gzipSync(body).subarray(0, 30_000));
    expect(urls.length).toBeGreaterThan(5_000);
    expect(urls.length).toBeLessThan(20_000);
    expect(errors).toEqual(['gzip data is cut short: read up to there']);
  });

  it('that is broken within gives what comes before the fault', async () => {
    const damaged = gzipSync(body);
    // A block of a type that does not exist.
    damaged.fill(0xff, 30_000, 31_000);
    const { urls, errors } = await parse(damaged);
    expect(urls.length).toBeGreaterThan(5_000);
    expect(errors).toContainEqual(expect.stringMatching(/^damaged gzip data/));
  });

  it('is unpacked in full whatever its bytes, and no further than it is read', async () => {
    const zeros = gzipSync(Buffer.alloc(200e6));
    let bytes = 0;
    for await (const piece of gunzip(zeros, () => {})) {
      bytes += piece.length;
      if (bytes > 1e6) break;
    }
    expect(bytes).toBeLessThan(3e6);
  });
});

/** Bits of sitemaps and feeds, and of what breaks them. */
const PIECES = [
  ...[
    '<urlset>',
    '<s:urlset xmlns:s="x">',
    '<rss>',
    '<feed>',
    '<rdf:RDF xmlns="http://purl.org/rss/1.0/">',
  ],
  ...['<url>', '</url>', '<sitemap>', '<item>', '</item>', '<entry xml:base="/b/">', '</entry>'],
  ...[
    '<loc>',
    '</loc>',
    '<s:loc>',
    '<link>',
    '</link>',
    '<link href="',
    'x',
    '"/>',
    '<guid>',
    '<x>',
    '</x>',
  ],
  ...[
    '<lastmod>',
    '</lastmod>',
    '2024-01-01',
    '<priority>0.5</priority>',
    '<![CDATA[',
    ']]>',
    '<!DOCTYPE x',
  ],
  ...[
    '<!ENTITY a "',
    '[',
    '>',
    '&a;',
    '&amp;',
    '&nbsp;',
    '&#',
    ';',
    'http://h.example/',
    '/y?z',
    'é',
    ' ',
    '\n',
  ],
  ...[
    '<!--',
    '-->',
    '<?xml version="1.0" encoding="',
    'iso-8859-1',
    'utf-16',
    '"?>',
    '\ufeff',
    '\0',
    '<',
    '"',
  ],
];
const soup = fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 60 });
const likely = soup.map((text) => `<urlset><url><loc>http://h.example/${text}`);
const anyBody = fc.oneof(
  soup.map((text) => Buffer.from(text)),
  likely.map((text) => Buffer.from(text)),
  soup.map((text) => Buffer.from(text, 'utf16le')),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

describe('whatever the bytes', () => {
  it('all that is found is an http(s) URL without fragment, once', async () => {
    const wrapped = fc.oneof(
      anyBody,
      anyBody.map((body) => gzipSync(body)),
    );
    await fc.assert(
      fc.asyncProperty(wrapped, async (body) => {
        const { urls, sitemaps } = await parse(body);
        for (const list of [urls.map(({ loc }) => loc), sitemaps]) {
          expect(list.every((url) => /^https?:\/\/[^#]*$/.test(url))).toBe(true);
          expect(new Set(list).size).toBe(list.length);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('the result does not depend on where it is cut', () => {
    fc.assert(
      fc.property(anyBody, fc.array(fc.nat(300), { maxLength: 12 }), (body, cuts) => {
        const read = (ends: readonly number[]) => {
          const reader = createSitemapReader({ url: URL, contentType: null });
          let at = 0;
          for (const end of [...ends, body.length]) {
            if (end <= at) continue;
            reader.write(body.subarray(at, end));
            at = end;
          }
          return reader.end();
        };
        expect(read([...cuts].sort((a, b) => a - b))).toEqual(read([]));
      }),
      { numRuns: 1000 },
    );
  });

  it('a cut of a large file changes nothing either', () => {
    const padding = '<!-- x -->'.repeat(7_000);
    const text = `<?xml version="1.0"?><urlset>${padding}<url><loc>http://h.example/é&amp;<![CDATA[b]]></loc></url></urlset>`;
    const body = Buffer.from(text);
    const results = [1, 7, 1000, 65_536, body.length].map((size) => {
      const reader = createSitemapReader({ url: URL, contentType: null });
      for (let at = 0; at < body.length; at += size) reader.write(body.subarray(at, at + size));
      return reader.end();
    });
    expect(results[0]!.urls).toEqual([{ loc: 'http://h.example/%C3%A9&b' }]);
    for (const result of results) expect(result).toEqual(results[0]);
  });

  it('a file that declares entities gives nothing, whatever they are and wherever they are used', async () => {
    const name = fc.constantFrom('a', 'b', '% c', 'd SYSTEM');
    const declarations = fc.array(fc.tuple(name, soup), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(declarations, soup, async (declared, rest) => {
        const subset = declared.map(([entity, text]) => `<!ENTITY ${entity} "${text}">`).join('');
        const { urls, sitemaps } = await parse(`<!DOCTYPE urlset [${subset}]><urlset>${rest}`);
        expect([urls, sitemaps]).toEqual([[], []]);
      }),
      { numRuns: 300 },
    );
  });

  it('a date is one in UTC that reads the same again, or none', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789-:TZ+. ,'), maxLength: 32 });
    const real = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    const mail = fc.date({ noInvalidDate: true }).map((date) => date.toUTCString());
    const zones = fc
      .tuple(real, fc.constantFrom('+14:00', '-12:00', '+0530', ''))
      .map(([date, zone]) => date.replace('Z', zone));
    fc.assert(
      fc.property(fc.oneof(digits, real, mail, zones, fc.string()), (text) => {
        for (const read of [parseW3cDate, parseFeedDate]) {
          const date = read(text);
          if (date === null) continue;
          expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
          expect(read(date)).toBe(date);
        }
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const seconds = Math.floor(date.getTime() / 1000) * 1000;
          expect(parseW3cDate(date.toISOString())).toBe(date.toISOString());
          expect(Date.parse(parseFeedDate(date.toUTCString())!)).toBe(seconds);
        },
      ),
    );
  });
});
