/** Sink records for tests: one URL per number. */

import type { SinkRecord } from '../../../src/contracts/urls.js';
import { hash } from 'node:crypto';

export const OWNER = '1790000000000:6f1c1a52-run';

/** URL of record number `id`. */
export function urlOf(id: number): string {
  return `https://host-${String(id % 97)}.example/page/${String(id)}`;
}

/** A record of URL number `id`, fetched unless said otherwise. */
export function recordOf(id: number, over: Partial<SinkRecord> = {}): SinkRecord {
  const url = urlOf(id);
  return {
    url,
    finalUrl: url,
    outcome: 'fetched',
    reason: null,
    status: 200,
    contentType: 'text/html; charset=utf-8',
    bytes: 5120 + id,
    digest: `sha256:${hash('sha256', url)}`,
    textDigest: hash('sha256', `text of ${url}`).slice(0, 16),
    depth: 2,
    hops: 'LL',
    via: 'https://host-1.example/',
    title: `Seite ${String(id)} – naïve “title”`,
    fetchedAt: '2026-12-01T14:03:12.345Z',
    fetchMs: 87,
    links: 12,
    truncated: false,
    noindex: false,
    fingerprint: hash('sha256', url).slice(0, 20),
    kind: 'page',
    owner: OWNER,
    turn: 1,
    attempt: 1,
    ...over,
  };
}

/** Numbers from `from` on, `count` of them. */
export function numbers(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}
