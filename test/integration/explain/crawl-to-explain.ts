/** A crawl in Redis, and output on disk, brought into every state that a URL can be in. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { CrawlSettings } from '../../../src/contracts/settings.js';
import type { DiscoveredUrl, SinkRecord } from '../../../src/contracts/urls.js';
import {
  gatherFacts,
  type GatherLimits,
  type UrlFacts,
} from '../../../src/cli/explain/gather-facts.js';
import { verdictOf, type Verdict } from '../../../src/cli/explain/verdict.js';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { RobotsStore } from '../../../src/frontier/robots-store.js';
import { newWriterId, openJsonlSink } from '../../../src/output/jsonl-sink.js';
import { connectRedis, type Redis } from '../../../src/redis/connection.js';
import { fingerprintOf, sitemapFingerprintOf } from '../../../src/url/canonical-url.js';
import { hostKey, registeredDomain } from '../../../src/url/host-key.js';
import { crawlSettings, newCrawlId, owner } from '../../support/frontier/builders.js';

/** One crawl of a test's own. */
export interface CrawlToExplain {
  readonly redis: Redis;
  readonly crawlId: string;
  readonly frontier: RedisFrontier;
  readonly robots: RobotsStore;
  /** A URL as the crawl would offer it. */
  found(url: string, changes?: Partial<DiscoveredUrl>): DiscoveredUrl;
  /** Store a record. */
  record(url: string, changes?: Partial<SinkRecord>): Promise<void>;
  /** Facts and verdict of a URL; the output is read where something was stored. */
  explain(url: string, limits?: GatherLimits): Promise<{ facts: UrlFacts; verdict: Verdict }>;
  dispose(): Promise<void>;
}

/** @param seeds the crawl's seeds, in its record only */
export async function crawlToExplain(
  changes: Partial<CrawlSettings> = {},
  seeds: readonly string[] = ['https://a.test/'],
): Promise<CrawlToExplain> {
  const redis = connectRedis(inject('redisUrl'));
  const crawlId = newCrawlId('explain');
  const out = mkdtempSync(join(tmpdir(), 'orbweaver-explain-'));
  const dir = join(out, crawlId);
  const settings = crawlSettings({ out, ...changes });
  const frontier = new RedisFrontier(redis, crawlId);
  await frontier.create({ settings, seeds }, 'test');
  const sink = openJsonlSink({ dir, writer: newWriterId() });
  let hasOutput = false;
  return {
    redis,
    crawlId,
    frontier,
    robots: new RobotsStore(redis, crawlId),
    found: (url, more = {}) => ({
      url,
      kind: 'page',
      depth: 2,
      hops: 'LL',
      via: 'https://a.test/list',
      attempts: 0,
      fingerprint:
        more.kind === 'sitemap'
          ? sitemapFingerprintOf(url, settings.canonical)
          : fingerprintOf(url, settings.canonical),
      hostKey: hostKey(url),
      registeredDomain: registeredDomain(url),
      level: 2,
      ...more,
    }),
    async record(url, more = {}) {
      hasOutput = true;
      await sink.append([
        {
          url,
          finalUrl: url,
          outcome: 'fetched',
          reason: null,
          status: 200,
          contentType: 'text/html',
          bytes: 12,
          digest: null,
          textDigest: null,
          depth: 2,
          hops: 'LL',
          via: 'https://a.test/list',
          title: 'A page',
          fetchedAt: '2026-03-04T05:06:07.000Z',
          fetchMs: 5,
          links: 0,
          truncated: false,
          noindex: false,
          fingerprint: fingerprintOf(url, settings.canonical),
          kind: 'page',
          owner: owner(0),
          turn: 1,
          attempt: 1,
          ...more,
        },
      ]);
    },
    async explain(url, limits) {
      const place = hasOutput
        ? { dir, why: null }
        : { dir: null, why: `${dir} is not on this machine` };
      const facts = await gatherFacts(redis, await frontier.status(), url, place, limits);
      return { facts, verdict: verdictOf(facts, Date.now()) };
    },
    async dispose() {
      await sink.close();
      await frontier.delete();
      redis.disconnect();
      rmSync(out, { recursive: true, force: true });
    },
  };
}
