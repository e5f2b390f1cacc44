import { crc32, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseSitemap, type SitemapDocument } from '../../../../src/parse/sitemap/sitemap.js';
import { loadVectors } from '../../../vectors/load.js';
import {
  expandParts,
  hasSharedCases,
  sharedCases,
  sharedName,
  type SharedCase,
} from '../../../vectors/shared-cases.js';

interface SitemapCase {
  name: string;
  url?: string;
  contentType?: string | null;
  body?: string;
  bodyBase64?: string;
  wrap?: (keyof typeof WRAPPERS)[];
  format: string | null;
  urls: (string | { loc: string })[];
  sitemaps: string[];
  errors?: string[];
}

/** What is done to the bytes of a case before they are read. */
const WRAPPERS = {
  gzip: (bytes: Buffer) => gzipSync(bytes),
  members: (bytes: Buffer) => {
    const half = Math.ceil(bytes.length / 2);
    return Buffer.concat([gzipSync(bytes.subarray(0, half)), gzipSync(bytes.subarray(half))]);
  },
  'gzip-header': (bytes: Buffer) => {
    const optional = [[3, 0, 1, 2, 3], Buffer.from('a name\0'), Buffer.from('a comment\0'), [0, 0]];
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(bytes), 0);
    trailer.writeUInt32LE(bytes.length, 4);
    const head = [0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3];
    const parts = [head, ...optional].map((part) => Buffer.from(part));
    return Buffer.concat([...parts, deflateRawSync(bytes), trailer]);
  },
  zeros: (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(512)]),
  garbage: (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('garbage')]),
  'cut-trailer': (bytes: Buffer) => bytes.subarray(0, -5),
  'cut-data': (bytes: Buffer) => bytes.subarray(0, 12),
  'flip-checksum': (bytes: Buffer) => {
    const copy = Buffer.from(bytes);
    copy[copy.length - 8]! ^= 1;
    return copy;
  },
};

describe('sitemaps and feeds', () => {
  it.each(loadVectors<SitemapCase>('sitemaps'))('$name', async (each) => {
    const raw: Buffer =
      each.bodyBase64 === undefined
        ? Buffer.from(each.body ?? '')
        : Buffer.from(each.bodyBase64, 'base64');
    const bytes = (each.wrap ?? []).reduce<Buffer>((body, wrap) => WRAPPERS[wrap](body), raw);
    const document = await parseSitemap(bytes, {
      url: each.url ?? 'http://h.example/d/sitemap.xml',
      contentType: each.contentType === undefined ? 'application/xml' : each.contentType,
    });
    expect(document).toEqual({
      format: each.format,
      urls: each.urls.map((entry) => (typeof entry === 'string' ? { loc: entry } : entry)),
      sitemaps: each.sitemaps,
      errors: (each.errors ?? []).map((part) => expect.stringContaining(part) as string),
    });
  });
});

interface PublicEntry {
  loc: string;
  lastmod?: string;
  lastmodAbsent?: boolean;
  priority?: number;
  priorityDefault?: boolean;
  optional?: boolean;
}

interface PublicCase extends SharedCase {
  url: string;
  contentType: string | null;
  transport?: { 'Content-Encoding'?: string };
  body?: string;
  bodyBase64?: string;
  bodyParts?: { text: string; repeat?: number; counter?: boolean }[];
  urls: PublicEntry[];
  children: PublicEntry[];
  mustNot?: string[];
  compareOnly?: string;
  expect?: string;
  expectCount?: number;
  expectCountMin?: number;
  expectChildrenMin?: number;
  expectFirst?: string;
  expectLast?: string;
}

/** Why the document is not what the case asks for; null where it is. */
function fault(each: PublicCase, document: SitemapDocument): string | null {
  const { expect: mode } = each;
  const isReported = document.errors.length > 0;
  const found = new Map(document.urls.map((entry) => [entry.loc, entry]));
  const all = [...found.keys(), ...document.sitemaps];
  const missing = [
    ...each.urls.filter(({ loc, optional }) => !optional && !found.has(loc)),
    ...each.children.filter(({ loc, optional }) => !optional && !document.sitemaps.includes(loc)),
  ].map(({ loc }) => loc);
  const isCounted = [each.expectCount, each.expectCountMin, each.expectChildrenMin].some(
    (count) => count !== undefined,
  );
  const known = new Set([...each.urls, ...each.children].map(({ loc }) => loc));
  const extra = isCounted ? [] : all.filter((loc) => !known.has(loc));
  const wrong = each.urls.filter((want) => {
    const entry = found.get(want.loc);
    if (!entry || each.compareOnly === 'loc') return false;
    const { lastmod = '', priority } = entry;
    if (want.lastmod !== undefined && Date.parse(lastmod) !== Date.parse(want.lastmod)) return true;
    if (want.lastmodAbsent && entry.lastmod !== undefined) return true;
    if (want.priorityDefault && priority !== undefined && priority !== 0.5) return true;
    return want.priority !== undefined && priority !== want.priority;
  });
  const bad = (each.mustNot ?? []).filter((loc) => all.includes(loc));
  if (bad.length > 0) return `must not be there: ${bad}`;
  if (wrong.length > 0) return `wrong facts: ${wrong[0]?.loc}`;
  if (each.expectCount !== undefined && found.size !== each.expectCount)
    return `${found.size} URLs`;
  if (found.size < (each.expectCountMin ?? 0)) return `${found.size} URLs`;
  if (document.sitemaps.length < (each.expectChildrenMin ?? 0)) return 'too few sitemaps';
  if (each.expectFirst && document.urls[0]?.loc !== each.expectFirst) return 'another first URL';
  if (each.expectLast && document.urls.at(-1)?.loc !== each.expectLast) return 'another last URL';
  if (mode === 'error' && !isReported) return 'no error is reported';
  if (mode === 'refuse-or-limit') return isReported || all.length === 0 ? null : 'no limit';
  const mayMiss = mode !== undefined && (isReported || /^refuse$|empty/.test(mode));
  if (missing.length > 0 && !mayMiss) return `missing: ${missing}`;
  const mayAdd = mode === 'error-or-partial' && isReported;
  return extra.length > 0 && !mayAdd ? `extra: ${extra.slice(0, 3)}` : null;
}

describe('public sitemap cases', () => {
  it.skipIf(!hasSharedCases)(sharedName('give the entries expected'), async () => {
    const failing: string[] = [];
    for (const each of sharedCases<PublicCase>('sitemaps')) {
      const text = each.body ?? expandParts(each.bodyParts ?? []);
      const raw =
        each.bodyBase64 === undefined ? Buffer.from(text) : Buffer.from(each.bodyBase64, 'base64');
      // The transfer layer is gone when a parser sees the body.
      const isCoded = each.transport?.['Content-Encoding'] === 'gzip';
      const document = await parseSitemap(isCoded ? gunzipSync(raw) : raw, each);
      const why = fault(each, document);
      if (why !== null) failing.push(`${each.name}: ${why}`);
    }
    expect(failing).toEqual([]);
  });
});
