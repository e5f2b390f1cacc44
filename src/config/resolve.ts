/**
 * From what a user says to what a crawl runs by: every problem at once, named by field, value,
 * source and remedy; explicit `undefined` means default.
 */

import type { z } from 'zod';
import type { AdjustableSettings, CrawlSettings } from '../contracts/settings.js';
import { canonicalSettings } from '../url/canonical-settings.js';
import { optionProblems, type OptionOrigins } from './option-problems.js';
import { problemsError } from './problems.js';
import { adjustmentsSchema, crawlOptionsSchema } from './schema.js';
import { DEFAULT_USER_AGENT, productToken } from './user-agent.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * All settings of a new crawl.
 *
 * @param input `CrawlOptions`, unchecked
 * @param origins where values came from, for messages
 * @throws CONFIG_UNKNOWN_OPTION, CONFIG_INVALID_OPTION
 */
export function resolveCrawlOptions(
  input: unknown,
  origins: OptionOrigins = new Map(),
): { seeds: string[]; settings: CrawlSettings } {
  const options = parse(crawlOptionsSchema, input, origins);
  const userAgent = options.userAgent ?? DEFAULT_USER_AGENT;
  const settings: CrawlSettings = {
    maxPages: options.maxPages ?? null,
    maxDepth: options.maxDepth ?? null,
    maxDurationMs: options.maxDuration ?? null,
    perHostLimit: options.perHostLimit ?? null,
    concurrency: options.concurrency ?? 500,
    delayMs: options.delayMs ?? 1000,
    delayFactor: options.delayFactor ?? (options.delayMs === 0 ? 0 : 1),
    maxDelayMs: options.maxDelayMs ?? MINUTE_MS,
    hostPatienceMs: options.hostPatience ?? 15 * MINUTE_MS,
    retries: options.retries ?? 2,
    scope: options.scope ?? 'domain',
    include: options.include ?? [],
    exclude: options.exclude ?? [],
    priorities: options.priorities ?? [],
    maxHostsPerDomain: options.maxHostsPerDomain ?? 1000,
    robots: options.robots ?? 'obey',
    sitemaps: options.sitemaps ?? true,
    feeds: options.feeds ?? true,
    embeds: options.embeds ?? false,
    forms: options.forms ?? false,
    textLinks: options.textLinks ?? false,
    canonical: canonicalSettings(options.canonical ?? [], options.dropParameters),
    traps: options.traps ?? true,
    trapBudget: options.trapBudget ?? 1000,
    userAgent,
    robotsAgent: productToken(userAgent) ?? 'orbweaver',
    maxBytes: options.maxBytes ?? 10 * 1024 ** 2,
    connectTimeoutMs: options.connectTimeout ?? 10_000,
    headersTimeoutMs: options.headersTimeout ?? 30_000,
    bodyTimeoutMs: options.bodyTimeout ?? 30_000,
    totalTimeoutMs: options.totalTimeout ?? 2 * MINUTE_MS,
    dedupe: options.dedupe ?? 'bloom',
    bloomErrorRate: options.bloomErrorRate ?? 1e-6,
    bloomCapacity: options.expectedUrls ?? forecastUrls(options.maxPages ?? null),
    allowPrivate: options.allowPrivate ?? false,
    mapHosts: options.mapHosts ?? [],
    cookies: options.cookies ?? true,
    turn: {
      maxPages: options.turn?.maxPages ?? 20,
      maxMs: options.turn?.maxMs ?? 10_000,
      maxPerSecond: options.turn?.maxPerSecond ?? 50,
    },
    out: options.out ?? 'out',
    keepMs: options.keep ?? 7 * DAY_MS,
  };
  return { seeds: [...options.seeds], settings };
}

/**
 * Settings that change on resume or in a running crawl: those given, nothing else.
 *
 * @param input `CrawlAdjustments`, unchecked
 * @throws CONFIG_UNKNOWN_OPTION (also for options that are fixed once a crawl has started),
 *   CONFIG_INVALID_OPTION
 */
export function resolveAdjustments(
  input: unknown,
  origins: OptionOrigins = new Map(),
): Partial<AdjustableSettings> {
  const given = parse(adjustmentsSchema, input, origins);
  const { maxDuration, hostPatience, ...same } = given;
  const changes = { ...same, maxDurationMs: maxDuration, hostPatienceMs: hostPatience };
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as Partial<AdjustableSettings>;
}

/**
 * URLs met per page stored: out-links that were admitted but not reached count as seen too. Ten is
 * generous for a site and cheap at 3.8 bytes; the ceiling keeps the reservation under 400 MB.
 */
function forecastUrls(maxPages: number | null): number {
  if (maxPages === null) return 1_000_000;
  return Math.min(Math.max(maxPages * 10, 10_000), 100_000_000);
}

function parse<S extends z.ZodType>(what: S, input: unknown, origins: OptionOrigins): z.output<S> {
  const result = what.safeParse(input);
  if (result.success) return result.data;
  throw problemsError(optionProblems(result.error.issues, input, origins));
}
