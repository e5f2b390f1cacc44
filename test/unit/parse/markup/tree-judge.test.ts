import fc from 'fast-check';
import {
  defaultTreeAdapter as tree,
  html as markup,
  parse,
  type DefaultTreeAdapterMap,
} from 'parse5';
import { describe, expect, it } from 'vitest';
import { HtmlTree } from '../../../../src/parse/markup/html-tree.js';

/*
 * Our tree rules against parse5's tree: which elements a page of tag soup has, in which namespace, with
 * which links. The differences that docs/adr/0010-links.md states are left out.
 */

type Node = DefaultTreeAdapterMap['node'];

const NAMES =
  'a area iframe frame frameset base title script style textarea xmp plaintext noscript noframes ' +
  'noembed template svg math foreignObject desc mi mtext annotation-xml mglyph option optgroup table tr ' +
  'td th thead caption col colgroup tbody form button p div b i font body html head br li ul dd dt h1 h2 ' +
  'image img input hr meta link object nobr ruby rt pre center main marquee';
const name = fc.constantFrom(...NAMES.split(' '));
const value = fc.constantFrom(
  '/a',
  '/b',
  'x?a=1&b=2',
  '&amp;',
  '&copy',
  '&copy=1',
  '&notit;',
  '&#x41',
  '',
);
const link = fc
  .tuple(
    fc.constantFrom('href', 'src', 'HREF', 'xlink:href', 'encoding', 'type'),
    fc.constantFrom('=', ' = ', '=\n'),
    fc.constantFrom('"', "'", ''),
    value,
  )
  .map(([key, equals, quote, text]) => ` ${key}${equals}${quote}${text}${quote}`);
const oddity = fc.constantFrom(
  ...[
    ' href',
    '/',
    '"',
    ' =',
    ' encoding="text/html"',
    ' type=hidden',
    ' color=red',
    '\0',
    '\f',
    '<',
  ],
);
const openTag = fc
  .tuple(
    name,
    fc.array(fc.oneof(link, oddity), { maxLength: 3 }),
    fc.constantFrom('>', '/>', '>', '>', ''),
  )
  .map(([key, attributes, end]) => `<${key}${attributes.join('')}${end}`);
const closeTag = fc
  .tuple(name, fc.constantFrom('>', ' >', '/>', ' x="y>">'))
  .map(([key, end]) => `</${key}${end}`);
const misc = fc.constantFrom(
  ...[
    '<!--',
    '-->',
    '--!>',
    '<!-->',
    '<!--->',
    '--',
    ']]>',
    '<!doctype html>',
    '<?',
    '<!',
    '</',
    '</>',
  ],
  ...['<', '>', 'text ', '&', '"', "'", '\n', '\r\n', '\0', '<script><!--', '<a href=/k>', '</a>'],
  ...[
    '<a href=/l',
    '</script',
    '<scripty>',
    '</titlex>',
    '<svg><title>',
    '<!-- <script>',
    '😀',
    '<![CDATA[',
  ],
);
const soup = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: openTag },
      { weight: 2, arbitrary: closeTag },
      { weight: 2, arbitrary: misc },
    ),
    { maxLength: 20 },
  )
  .map((pieces) => pieces.join(''));

/** A frameset that may replace a body, and CDATA in an integration point. */
function isKnownDifference(html: string): boolean {
  const isBodyReplaced =
    /<frameset/i.test(html) &&
    !/^(?:<!doctype html>|\s|<\/?(?:html|head)>)*<frameset[\s/>]/.test(html);
  return (
    isBodyReplaced || (/CDATA/.test(html) && /<(?:title|desc|foreignobject|m|ann)/i.test(html))
  );
}

const SPACES = new Map([
  [markup.NS.SVG as string, 'svg'],
  [markup.NS.MATHML as string, 'math'],
]);
/** Elements of HTML whose links are read. */
const LINKED = new Set('a area base frame iframe img input link script'.split(' '));
const LINKS = ['href', 'src', 'xlink:href'];

/** Elements of parse5's tree that have links. What is in a template is no child. */
function judged(html: string): Set<string> {
  const found = new Set<string>();
  const nodes: Node[] = [parse(html, { scriptingEnabled: false })];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if ('childNodes' in node) nodes.push(...node.childNodes);
    if (!tree.isElementNode(node)) continue;
    const values = new Map(
      node.attrs.map((a) => [a.prefix ? `${a.prefix}:${a.name}` : a.name, a.value] as const),
    );
    found.add(
      described(node.tagName.toLowerCase(), SPACES.get(node.namespaceURI) ?? 'html', values),
    );
  }
  found.delete('');
  return found;
}

function ours(html: string): Set<string> {
  const found = new Set<string>();
  const source = new HtmlTree(LINKS, {
    onElement: (key, space, values) => found.add(described(key, space, values)),
    onEndTag() {},
    onText() {},
    onEnd() {},
  });
  source.write(html);
  source.end();
  found.delete('');
  return found;
}

function described(key: string, space: string, values: ReadonlyMap<string, string>): string {
  if (space === 'html' && !LINKED.has(key)) return '';
  const links = LINKS.map((attribute) => values.get(attribute));
  return links.every((link) => link === undefined) ? '' : JSON.stringify([space, key, ...links]);
}

describe('elements with links of any tag soup', () => {
  it('are those of the tree that parse5 builds', () => {
    fc.assert(
      fc.property(soup, (html) => {
        fc.pre(!isKnownDifference(html));
        expect(ours(html)).toEqual(judged(html));
      }),
      // The same documents in every run: a new difference is found on purpose, not by luck in CI.
      { numRuns: 40_000, seed: 20_261_201 },
    );
  }, 60_000);

  it.each([
    [
      'a formatting element takes what is in its last block with it',
      '<i><pre><math></i><a href=/x>',
    ],
    ['a template of MathML bounds no table', '<table><math><template></table><a href=/x>'],
    ['a noscript of the head ends before MathML', '<noscript><math></noscript><a href=/x>', 'math'],
  ])('%s', (_fact, html, space = 'html') => {
    expect([...ours(html)]).toEqual([`["${space}","a","/x",null,null]`]);
    expect(judged(html)).toEqual(ours(html));
  });
});
