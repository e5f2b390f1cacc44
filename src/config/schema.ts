/** The options' schema: strict, and tied to the documented type so that neither can drift. */

import { z } from 'zod';
import {
  choice,
  duration,
  flag,
  hostMapping,
  limit,
  list,
  priorityBoost,
  real,
  seedUrl,
  size,
  text,
  urlPattern,
  whole,
} from './fields.js';
import { CANONICAL_CHANGES } from '../url/canonical-settings.js';
import type { CrawlOptions } from './options.js';
import { productToken } from './user-agent.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const adjustable = {
  maxPages: limit(1).optional(),
  maxDepth: limit(0).optional(),
  maxDuration: duration(1000).nullable().optional(),
  perHostLimit: limit(1).optional(),
  concurrency: whole(1, 100_000).optional(),
  delayMs: duration(0, DAY_MS).optional(),
  delayFactor: real(0, 1000).optional(),
  maxDelayMs: duration(0, DAY_MS).optional(),
  hostPatience: duration(0).optional(),
  retries: whole(0, 100).optional(),
  traps: flag().optional(),
  trapBudget: whole(1, 1_000_000).optional(),
};

const turn = z.strictObject(
  {
    maxPages: whole(1, 10_000).optional(),
    maxMs: duration(100, 10 * MINUTE_MS).optional(),
    maxPerSecond: whole(1, 100_000).optional(),
  },
  { error: 'expected an object such as { maxPages: 20, maxMs: "10s" }' },
);

/** All options of a new crawl. */
export const crawlOptionsSchema = z.strictObject(
  {
    ...adjustable,
    seeds: list(seedUrl(), 'URLs').refine((seeds) => seeds.length > 0, {
      error: 'expected at least one URL',
    }),
    scope: choice(['host', 'domain', 'any']).optional(),
    include: list(urlPattern(), 'patterns').optional(),
    exclude: list(urlPattern(), 'patterns').optional(),
    priorities: list(priorityBoost(), 'rules PATTERN=BOOST').optional(),
    maxHostsPerDomain: whole(1, 100_000_000).optional(),
    sitemaps: flag().optional(),
    feeds: flag().optional(),
    embeds: flag().optional(),
    forms: flag().optional(),
    textLinks: flag().optional(),
    canonical: list(choice(CANONICAL_CHANGES), 'rules').optional(),
    dropParameters: list(
      text('the name of a query parameter, "*" at its end at most', (name) =>
        /^[^\s&=*#]+\*?$/.test(name),
      ),
      'names',
    ).optional(),
    robots: choice(['obey', 'ignore']).optional(),
    userAgent: text(
      'printable ASCII text of at most 256 characters that begins with a name',
      (value) => /^[\x20-\x7e]{1,256}$/.test(value) && productToken(value) !== undefined,
    ).optional(),
    turn: turn.optional(),
    // Bodies are held in memory while they are parsed, several per worker.
    maxBytes: size(1, 1024 ** 3).optional(),
    connectTimeout: duration(1, HOUR_MS).optional(),
    headersTimeout: duration(1, HOUR_MS).optional(),
    bodyTimeout: duration(1, HOUR_MS).optional(),
    totalTimeout: duration(1, DAY_MS).optional(),
    cookies: flag().optional(),
    allowPrivate: flag().optional(),
    mapHosts: list(hostMapping(), 'rules PATTERN=IP[:PORT]').optional(),
    dedupe: choice(['bloom', 'exact']).optional(),
    bloomErrorRate: real(1e-9, 0.1).optional(),
    expectedUrls: whole(1000, 1_000_000_000).optional(),
    out: text(
      'the path of a folder',
      (value) => value.trim() !== '' && !value.includes('\0'),
    ).optional(),
    keep: duration(0, 3650 * DAY_MS).optional(),
  },
  { error: 'expected an object with options' },
) satisfies z.ZodType<unknown, CrawlOptions>;

type SchemaTakes<Options extends z.input<typeof crawlOptionsSchema>> = Options;
/** The other direction: an option that the type has and the schema lacks fails to compile here. */
export type CheckedCrawlOptions = SchemaTakes<CrawlOptions>;

/** What may change on resume and in a running crawl. */
export const adjustmentsSchema = z.strictObject(adjustable, {
  error: 'expected an object with options',
});
