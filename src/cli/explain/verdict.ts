/** From facts to the one sentence that answers "why was it (not) crawled?". Pure. */
import type { SinkRecord, TrapRule } from '../../contracts/urls.js';
import type { Place } from '../../frontier/explain-place.js';
import { commandLine } from '../context.js';
import { counted, formatCount, formatElapsed, plain } from '../display/format.js';
import { remedyOf } from '../remedies.js';
import type { Trace, UrlFacts } from './gather-facts.js';
import { neverMet, type UnmetVerdict } from './never-met.js';
import { whyNotNow } from './why-not-now.js';

/** What became of a URL. */
export type VerdictName =
  | UnmetVerdict
  | 'queued'
  | 'leased'
  | 'retry'
  | 'deadLetter'
  | 'trapped'
  | 'fetched'
  | 'notModified'
  | 'duplicate'
  | 'redirected'
  | 'skipped'
  | 'failed'
  /** The seen filter has it, and nothing else is known. */
  | 'seen';

export interface Verdict {
  readonly name: VerdictName;
  readonly sentence: string;
}

/**
 * @param nowMs by the clock of Redis, near enough
 * @param dataDir data directory that commands in the answer name; none where it is the default one
 */
export function verdictOf(facts: UrlFacts, nowMs: number, dataDir?: string): Verdict {
  const { page, sitemap } = facts;
  if (isMet(page) || !isMet(sitemap)) return traceVerdict(facts, page, nowMs, dataDir);
  const { name, sentence } = traceVerdict(facts, sitemap, nowMs, dataDir);
  return { name, sentence: `As a page it was never met; as a sitemap: ${lowerFirst(sentence)}` };
}

/** Something is known of the URL as that kind of thing. */
export function isMet(trace: Trace): boolean {
  return trace.isSeen || trace.place !== null || trace.trapped !== null || trace.record !== null;
}

function traceVerdict(
  facts: UrlFacts,
  trace: Trace,
  nowMs: number,
  dataDir: string | undefined,
): Verdict {
  const { place, record, trapped } = trace;
  // A failure that can be requeued says more as a dead letter than as a record.
  if (place !== null) return placeVerdict(facts, place, nowMs, dataDir);
  if (record !== null) return recordVerdict(facts, record);
  if (trace.isSeen) return { name: 'seen', sentence: seenSentence(facts) };
  if (trapped !== null) {
    return { name: 'trapped', sentence: trappedSentence(facts, trapped.rule, dataDir) };
  }
  return neverMet(facts);
}

/** Rules that no link changes: they count hosts and hops, and hold also with --no-traps. */
const QUOTAS: ReadonlySet<string> = new Set<TrapRule>(['maxHostsPerDomain', 'sitemapHops']);

function trappedSentence({ status }: UrlFacts, rule: string, dataDir?: string): string {
  const requeue = commandLine(['held', status.crawlId, '--requeue'], dataDir);
  const remedy = QUOTAS.has(rule)
    ? `${requeue} queues it after all`
    : `a page that looks sound may still queue it, and so does ${requeue}`;
  return `It is held back as a crawl trap by the rule ${plain(rule)}; ${remedy}.`;
}

function placeVerdict(
  facts: UrlFacts,
  place: Place,
  nowMs: number,
  dataDir: string | undefined,
): Verdict {
  switch (place.where) {
    case 'queued': {
      const position = `number ${formatCount(place.position)} of its host`;
      return { name: 'queued', sentence: `It is queued, ${position}; ${whyNotNow(facts, nowMs)}.` };
    }
    case 'leased':
      return {
        name: 'leased',
        sentence: `It is taken out to be fetched; ${whyNotNow(facts, nowMs)}.`,
      };
    case 'retry': {
      const tries = `try ${formatCount(place.item.attempts)} failed`;
      const inMs = place.dueAtMs - nowMs;
      const due = inMs > 0 ? `in ${formatElapsed(inMs + 999)}` : 'as soon as its host is next';
      return {
        name: 'retry',
        sentence: `Its ${tries}, and it is tried again ${due}; ${whyNotNow(facts, nowMs)}.`,
      };
    }
    case 'deadLetter': {
      const requeue = commandLine(['dead-letters', facts.status.crawlId, '--requeue'], dataDir);
      const what = `${plain(place.reason)}; ${remedyOf(place.reason, facts.url)}`;
      return {
        name: 'deadLetter',
        sentence: `It was given up: ${what}. ${requeue} queues it again.`,
      };
    }
  }
}

function recordVerdict(facts: UrlFacts, record: SinkRecord): Verdict {
  const name = record.outcome;
  const reason = record.reason ?? 'for no known reason';
  switch (name) {
    case 'fetched':
      if (record.kind === 'sitemap') return { name, sentence: sitemapSentence(record) };
      return { name, sentence: `It was fetched at ${record.fetchedAt} and is in the output.` };
    case 'notModified':
      return { name, sentence: `It was asked for at ${record.fetchedAt} and had not changed.` };
    case 'duplicate':
      return {
        name,
        sentence: `It was fetched at ${record.fetchedAt} and is a copy of another page.`,
      };
    case 'redirected':
      return {
        name,
        sentence: `It redirects to ${plain(record.finalUrl)}, which is a URL of its own: explain that.`,
      };
    case 'skipped':
      return { name, sentence: `It was left out: ${skipText(facts, reason)}.` };
    case 'failed':
      return { name, sentence: `It failed: ${plain(reason)}; ${remedyOf(reason, facts.url)}.` };
  }
}

/** A list of URLs is read, not exported; its reason says what was wrong with it. */
function sitemapSentence({ fetchedAt, links, reason }: SinkRecord): string {
  const faults = reason === null ? '' : `; faults: ${plain(reason)}`;
  return `It was read at ${fetchedAt} and lists ${counted(links, 'URL')}${faults}.`;
}

function skipText(facts: UrlFacts, reason: string): string {
  const { rule } = facts.robots;
  const line = reason === 'robotsTxt' && rule !== null ? ` by the line "${plain(rule)}"` : '';
  return `${plain(reason)}${line}; ${remedyOf(reason, facts.url)}`;
}

/** Known to the filter, found nowhere. */
function seenSentence({ output, cutShort, status }: UrlFacts): string {
  const { settings } = status;
  const met = 'The crawl has met it, but what became of it is not known here';
  if (cutShort.length > 0) {
    return `${met}: a look ends before the end of ${cutShort.join(', ')}.`;
  }
  if (output.dir === null) return `${met}: ${output.why}; name its folder with --out.`;
  const elsewhere = 'a worker on another machine may have its record';
  if (settings.dedupe === 'exact') return `${met}: ${elsewhere}.`;
  return (
    `${met}: ${elsewhere}, or the Bloom filter took it for one that it had seen, as it does with ` +
    `${String(settings.bloomErrorRate)} of the new URLs (--dedupe exact never does).`
  );
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
