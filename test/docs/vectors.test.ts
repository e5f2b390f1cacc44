/** docs/vectors.md counts the vectors that are there. */

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  countSources,
  hasPublicVectors,
  OWN_VECTORS,
  PUBLIC_VECTORS,
  sourceName,
  sourceTable,
} from '../vectors/sources.js';

const DOCS = new URL('../../docs/', import.meta.url);
const document = readFileSync(new URL('vectors.md', DOCS), 'utf8');

describe('docs/vectors.md', () => {
  it('counts our own vectors by source (`npx tsx scripts/vector-table.ts` writes it anew)', () => {
    expect(document).toContain(sourceTable(countSources(OWN_VECTORS)));
  });

  const name = 'counts the public collection by source';
  it.skipIf(!hasPublicVectors)(
    hasPublicVectors ? name : `${name} (left out: ../shared/cases is not there)`,
    () => {
      expect(document).toContain(sourceTable(countSources(PUBLIC_VECTORS)));
    },
  );

  it('links to documents that are there', () => {
    const links = [...document.matchAll(/\]\(([^)#]+)\)/g)].map(([, path]) => path ?? '');
    expect(links.filter((path) => !existsSync(new URL(path, DOCS)))).toEqual([]);
  });
});

describe('source of a vector', () => {
  it.each([
    ['RFC 9309 §2.2.2', 'RFC 9309'],
    ['WHATWG HTML: attribute values', 'WHATWG HTML'],
    ['scrapy/protego tests/test_protego.py', 'scrapy/protego'],
    ['practice (dedupe)', 'other practice'],
  ])('of %j is %j', (source, expected) => {
    expect(sourceName(source)).toBe(expected);
  });
});
