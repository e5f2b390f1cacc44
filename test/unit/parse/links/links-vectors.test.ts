import { describe, expect, it } from 'vitest';
import type { Link } from '../../../../src/contracts/urls.js';
import { parseDocument } from '../../../../src/parse/document.js';
import type { HtmlInput } from '../../../../src/parse/page/html.js';
import type { LinkOptions } from '../../../../src/parse/page/html-collector.js';
import { loadVectors } from '../../../vectors/load.js';
import {
  expandParts,
  hasSharedCases,
  sharedCases,
  sharedName,
  type SharedCase,
} from '../../../vectors/shared-cases.js';

interface Body {
  html?: string;
  htmlBase64?: string;
  htmlParts?: { text: string; repeat?: number }[];
}

interface LinkCase extends Body {
  name: string;
  category: string;
  url: string;
  contentType?: string | null;
  options?: LinkOptions;
  linkHeader?: string[];
  refreshHeader?: string[];
  xRobotsTag?: string[];
  links: string[];
  noindex?: boolean;
  nofollow?: boolean;
  title?: string | null;
  canonical?: string | null;
  charset?: string;
  base?: string;
}

function bodyOf({ html, htmlBase64, htmlParts }: Body): Buffer {
  return htmlBase64 === undefined
    ? Buffer.from(html ?? expandParts(htmlParts ?? []))
    : Buffer.from(htmlBase64, 'base64');
}

const textOf = ({ kind, url, nofollow }: Link) => `${kind} ${url}${nofollow ? ' nofollow' : ''}`;

/** What of a case is not as expected. */
async function faultsOf(each: LinkCase): Promise<string[]> {
  const { url, options, linkHeader, refreshHeader, xRobotsTag } = each;
  const input: HtmlInput = {
    ...{ url, linkHeader, refreshHeader, xRobotsTag, robotsAgent: 'testbot', ...options },
    contentType: each.contentType === undefined ? 'text/html; charset=utf-8' : each.contentType,
  };
  const found = await parseDocument(bodyOf(each), input);
  const expected = {
    links: each.links,
    noindex: each.noindex ?? false,
    nofollow: each.nofollow ?? false,
    truncated: false,
    ...('title' in each && { title: each.title }),
    ...('canonical' in each && { canonical: each.canonical }),
    ...('charset' in each && { charset: each.charset }),
    ...('base' in each && { base: each.base }),
  };
  const got: Record<string, unknown> = { ...found, links: found.links.map(textOf) };
  return Object.entries(expected)
    .filter(([key, value]) => JSON.stringify(got[key]) !== JSON.stringify(value))
    .map(([key, value]) => `${key}: ${JSON.stringify(got[key])}, not ${JSON.stringify(value)}`);
}

describe('own link vectors', () => {
  const cases = loadVectors<LinkCase>('links');

  it.each([...new Set(cases.map(({ category }) => category))])('%s', async (category) => {
    const failing: Record<string, string[]> = {};
    for (const each of cases.filter((one) => one.category === category)) {
      const faults = await faultsOf(each);
      if (faults.length > 0) failing[each.name] = faults;
    }
    expect(failing).toEqual({});
  });
});

interface PublicCase extends SharedCase, Body {
  category: string;
  url: string;
  contentType: string | null;
  links: { url: string; kind: string; nofollow?: boolean; optional?: boolean }[];
  mustNot?: string[];
  nofollow: boolean;
  expectTitle?: string;
  maxMillis?: number;
}

const RESOURCE = /img|srcset|css|style|icon|script|form|embed|object|source|video|audio|manifest/;
const words = (text: string | null) => (text ?? '').split(/\s+/).filter(Boolean).join(' ');

async function publicFault(each: PublicCase, options: LinkOptions): Promise<string | null> {
  const { url, contentType } = each;
  const body = bodyOf(each);
  const begin = performance.now();
  const page = await parseDocument(body, { url, contentType, robotsAgent: 'testbot', ...options });
  if (performance.now() - begin > (each.maxMillis ?? Infinity)) return 'too slow';
  const found = new Map(page.links.map((link) => [link.url, link]));
  for (const { url: target, kind, nofollow, optional } of each.links) {
    const link = found.get(target);
    if (!link && !optional && (options.embeds || !RESOURCE.test(kind))) return `lacks ${target}`;
    if (link && !RESOURCE.test(kind) && link.nofollow !== (nofollow ?? false))
      return `rel ${target}`;
  }
  for (const target of each.mustNot ?? []) if (found.has(target)) return `has ${target}`;
  // A case of time only lists no links, whatever the page has.
  const isTimeOnly = each.links.length === 0 && each.maxMillis !== undefined;
  for (const { url: target, kind } of page.links) {
    const isExpected =
      isTimeOnly || RESOURCE.test(kind) || each.links.some((l) => l.url === target);
    if (!isExpected) return `finds ${target}`;
  }
  if (page.nofollow !== each.nofollow) return 'page nofollow';
  const isTitled = each.expectTitle === undefined || words(page.title) === words(each.expectTitle);
  return isTitled ? null : `title ${page.title}`;
}

describe('public link cases', () => {
  it.skipIf(!hasSharedCases).each([
    ['by default', {}],
    ['with embeds', { embeds: true }],
  ])(sharedName('have the links, titles and directives expected, %s'), async (_how, options) => {
    const failing: string[] = [];
    for (const each of sharedCases<PublicCase>('links')) {
      const fault = await publicFault(each, options);
      if (fault !== null) failing.push(`${each.name}: ${fault}`);
    }
    expect(failing).toEqual([]);
  });

  it.skipIf(!hasSharedCases)(sharedName('are covered by our own, category by category'), () => {
    const own = new Set(loadVectors<LinkCase>('links').map(({ category }) => category));
    const missing = sharedCases<PublicCase>('links').filter(({ category }) => !own.has(category));
    expect([...new Set(missing.map(({ category }) => category))]).toEqual([]);
  });
});
