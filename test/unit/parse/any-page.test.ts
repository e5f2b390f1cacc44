import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectCharset } from '../../../src/parse/charset/detect-charset.js';
import { createDecoder, decodeBody } from '../../../src/parse/charset/encodings.js';
import { cssUrls } from '../../../src/parse/links/css-urls.js';
import { parseDocument } from '../../../src/parse/document.js';
import { HtmlTree } from '../../../src/parse/markup/html-tree.js';
import { parseSrcset } from '../../../src/parse/links/srcset.js';
import { findTextLinks, TextRun } from '../../../src/parse/links/text-links.js';
import { decodeXhtml, XhtmlText } from '../../../src/parse/markup/xhtml-entities.js';
import { XhtmlReader } from '../../../src/parse/markup/xhtml-reader.js';

const NAMES =
  'a area base body br button desc div font foreignObject form frame frameset h1 iframe img input li link ' +
  'math meta mi noframes noscript option p plaintext script select style svg table td template ' +
  'textarea title tr xmp annotation-xml';
const name = fc.constantFrom(...NAMES.split(' '));
const value = fc.constantFrom('/a', 'x?a=1&b=2', '&amp;', '&copy=1', '#f', '//o', 'q r', 'http://');
const quote = fc.constantFrom('"', "'", '');
const attribute = fc
  .tuple(fc.constantFrom('href', 'SRC', 'xlink:href', 'rel', 'srcdoc', 'style'), quote, value)
  .map(([key, q, text]) => ` ${key}=${q}${text}${q}`);
const tag = fc
  .tuple(name, fc.array(attribute, { maxLength: 2 }), fc.constantFrom('>', '/>', ''))
  .map(([key, attributes, end]) => `<${key}${attributes.join('')}${end}`);
const piece = fc.oneof(
  { weight: 4, arbitrary: tag },
  { weight: 2, arbitrary: name.map((key) => `</${key}>`) },
  fc.constantFrom(
    '<!--',
    '-->',
    '--!>',
    '<![CDATA[',
    ']]>',
    '<?',
    '</',
    '<',
    '>',
    '&am',
    'p;',
    '\0',
  ),
  fc.constantFrom('<script><!--', '<script', '</script', ' http://t.example/(x). ', 'é😀', '\r\n'),
);
const soup = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
const bytes = fc.oneof(
  soup.map((text) => Buffer.from(text)),
  soup.map((text) => Buffer.from(text, 'utf16le')),
  fc.uint8Array({ maxLength: 200 }).map((raw) => Buffer.from(raw)),
);
const ENCODINGS =
  'utf-8 utf-16le utf-16be windows-1252 koi8-u x-user-defined iso-8859-16 replacement gbk gb18030 big5 ' +
  'euc-jp shift_jis iso-2022-jp euc-kr windows-874';
const encoding = fc.constantFrom(...ENCODINGS.split(' '));

/** All that a source tells of a text that comes in pieces of one length; text of a run is joined. */
function told(Source: typeof HtmlTree | typeof XhtmlReader, text: string, step: number): string[] {
  const events: string[] = [];
  let run = '';
  const tell = (event: string) => {
    if (run !== '') events.push(run);
    run = '';
    if (event !== '') events.push(event);
  };
  const source = new Source(['href', 'src'], {
    onElement: (key, space, values) => tell(`<${key} ${space} ${JSON.stringify([...values])}`),
    onEndTag: (key) => tell(`/${key}`),
    onText: (part) => (run += part),
    onEnd: () => tell(''),
  });
  for (let at = 0; at < text.length; at += step) source.write(text.slice(at, at + step));
  source.end();
  return events;
}

describe('any page', () => {
  it.each([
    ['HTML', HtmlTree],
    ['XHTML', XhtmlReader],
  ] as const)('%s tells the same wherever its text is cut', (_kind, Source) => {
    fc.assert(
      fc.property(soup, fc.integer({ min: 1, max: 9 }), (text, step) => {
        expect(told(Source, text, step)).toEqual(told(Source, text, Infinity));
      }),
      { numRuns: 1_000 },
    );
  });

  it('has valid http(s) URLs, each once, and the same ones again', async () => {
    const types = fc.constantFrom(
      ...[null, 'text/html', 'text/html; charset=gbk', 'application/xhtml+xml', 'text/plain'],
    );
    await fc.assert(
      fc.asyncProperty(bytes, types, fc.boolean(), async (body, contentType, isAll) => {
        const options = { embeds: isAll, forms: isAll, textLinks: isAll, maxLinks: 5 };
        const input = { url: 'http://h.example/d/p', contentType, robotsAgent: 'bot', ...options };
        const page = await parseDocument(body, input);
        const urls = page.links.map(({ url }) => url);
        expect(urls.length).toBeLessThanOrEqual(5);
        expect(new Set(urls).size).toBe(urls.length);
        for (const url of urls) {
          expect(url).toMatch(/^https?:\/\/[^#]*$/);
          expect(new URL(url).href).toBe(url);
        }
        expect(await parseDocument(body, input)).toEqual(page);
      }),
      { numRuns: 500 },
    );
  });

  it('has an encoding that can be read, whatever its bytes and header say', () => {
    const header = fc.oneof(
      fc.constant(null),
      fc.string(),
      encoding.map((e) => `x; charset=${e}`),
    );
    fc.assert(
      fc.property(bytes, header, (body, contentType) => {
        const charset = detectCharset(body, contentType);
        expect(typeof decodeBody(body, charset)).toBe('string');
      }),
    );
  });

  it('is the same text wherever its bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        encoding,
        fc.integer({ min: 1, max: 5 }),
        (raw, charset, step) => {
          const decoder = createDecoder(charset);
          let text = '';
          for (let at = 0; at < raw.length; at += step) {
            text += decoder.decode(raw.subarray(at, at + step), false);
          }
          text += decoder.decode(new Uint8Array(), true);
          expect(text).toBe(decodeBody(raw, charset));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('has the same entities and the same URLs in text wherever it is cut', () => {
    const text = fc
      .array(fc.constantFrom('&', '&amp', ';', '&#x4', '1', 'http', '://o.example/', ' ', 'é', '('))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 4 }), (raw, step) => {
        let decoded = '';
        const decoding = new XhtmlText((part) => (decoded += part));
        const links: string[] = [];
        const run = new TextRun((url) => links.push(url));
        for (let at = 0; at < raw.length; at += step) {
          decoding.add(raw.slice(at, at + step));
          run.add(raw.slice(at, at + step));
        }
        decoding.flush();
        run.flush();
        expect(decoded).toBe(decodeXhtml(raw));
        expect(links).toEqual(findTextLinks(raw));
      }),
    );
  });

  it('has a style sheet or srcset of any kind', () => {
    const css = fc
      .array(
        fc.constantFrom('url(', ')', '"', "'", '\\', '/*', '*/', '@import ', 'a', '(', ';', '\n'),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(css, fc.string()), (text) => {
        expect(cssUrls(text).every((url) => url !== '')).toBe(true);
        expect(parseSrcset(text).every((url) => url !== '' && !/\s/.test(url[0] ?? ' '))).toBe(
          true,
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
