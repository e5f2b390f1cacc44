/** An explanation as programs and as people read it. Pure. */
import type { Suspicion } from '../../contracts/urls.js';
import { pairLines } from '../control/table.js';
import { counted, formatCount, formatElapsed, plain } from '../display/format.js';
import type { Trace, UrlFacts } from './gather-facts.js';
import { isMet, type Verdict } from './verdict.js';

type Item = NonNullable<Trace['place']>['item'];

/** One JSON object: the verdict first, then all facts. */
export function explanationJson(facts: UrlFacts, verdict: Verdict): object {
  const { status, page, sitemap, output, ...rest } = facts;
  return {
    crawlId: status.crawlId,
    verdict: verdict.name,
    sentence: verdict.sentence,
    state: status.state,
    finishReason: status.finishReason,
    ...rest,
    page,
    sitemap,
    out: output.dir,
  };
}

/** The verdict in one sentence, then the facts below each other. */
export function explanationLines(facts: UrlFacts, verdict: Verdict, nowMs: number): string[] {
  const { status, canonical, page, sitemap, redirectedFrom, suspicion, output, cutShort } = facts;
  const why = status.finishReason === null ? '' : ` (${status.finishReason})`;
  const pairs: [string, string][] = [
    ['url', plain(facts.url)],
    ['canonical', plain(canonical)],
    ['fingerprint', page.fingerprint],
    ['host', hostText(facts, nowMs)],
    ['crawl', `${status.crawlId}, ${status.state}${why}`],
    ['scope', scopeText(facts)],
    ['robots.txt', robotsText(facts)],
    ...(suspicion === null ? [] : [suspicionPair(suspicion)]),
    ['seen', seenText(facts, page)],
    ...placePairs(page, nowMs),
    ...recordPairs(page, facts.url),
  ];
  if (isMet(sitemap)) {
    pairs.push(['as a sitemap', seenText(facts, sitemap)]);
    pairs.push(...placePairs(sitemap, nowMs), ...recordPairs(sitemap, facts.url));
  }
  if (redirectedFrom.length > 0)
    pairs.push(['redirected from', redirectedFrom.map(plain).join(' ')]);
  pairs.push(['output', output.dir ?? `not read: ${output.why}`]);
  if (cutShort.length > 0) {
    pairs.push([
      'cut short',
      `${cutShort.join(', ')}: longer than a look goes, it may lie in the rest`,
    ]);
  }
  return [plain(verdict.sentence), '', ...pairLines(pairs)];
}

function hostText({ host, hostKey }: UrlFacts, nowMs: number): string {
  if (host === null) return `${plain(hostKey)}, not met`;
  const parts = [
    plain(hostKey),
    `${host.state}${host.reason === null ? '' : ` (${plain(host.reason)})`}`,
    `${formatCount(host.queued)} queued`,
    `${formatCount(host.fetched)} fetched`,
  ];
  if (host.nextAtMs !== null && host.nextAtMs > nowMs) {
    parts.push(`next in ${formatElapsed(host.nextAtMs - nowMs + 999)}`);
  }
  if (host.failures > 0) parts.push(`${counted(host.failures, 'failure')} in a row`);
  return parts.join(', ');
}

function scopeText({ scope, isSeed }: UrlFacts): string {
  if (!scope.inScope) return `out: ${plain(scope.rule)}`;
  return isSeed ? 'in: it is a seed' : 'in';
}

function robotsText({ robots }: UrlFacts): string {
  const rule = robots.rule === null ? '' : ` by "${plain(robots.rule)}"`;
  const copy = robots.isOldCopy ? ' (the last good copy: it cannot be had now)' : '';
  switch (robots.verdict) {
    case 'allowed':
    case 'forbidden':
      return `${robots.verdict}${rule}${copy}`;
    case 'noFile':
      return 'there is none: allowed';
    case 'unreachable':
      return 'can not be had: nothing is fetched for now';
    case 'notAsked':
      return 'not asked yet';
    case 'ignored':
      return 'ignored by the crawl (--robots ignore)';
  }
}

function suspicionPair({ rule, weight }: Suspicion): [string, string] {
  const means = weight === 'later' ? 'come after all that does not look so' : 'are held back';
  return ['looks like', `a trap by ${rule}: links to it ${means}, unless --no-traps is given`];
}

function seenText({ status }: UrlFacts, { isSeen, place, record }: Trace): string {
  if (!isSeen) return 'no';
  const isKnown = place !== null || record !== null || status.settings.dedupe === 'exact';
  return isKnown
    ? 'yes'
    : `yes, or wrongly taken for it (chance ${String(status.settings.bloomErrorRate)})`;
}

function placePairs({ place, trapped }: Trace, nowMs: number): [string, string][] {
  if (place === null) {
    if (trapped === null) return [];
    const { item, rule } = trapped;
    return [['held back', `trap: ${plain(rule)}`], ...itemPairs(item)];
  }
  const pairs: [string, string][] = [['place', placeText(place, nowMs)], ...itemPairs(place.item)];
  // Its last try is not counted there, or its host was never reached.
  return place.where === 'deadLetter' ? pairs : [...pairs, triesPair(place.item)];
}

function placeText(place: NonNullable<Trace['place']>, nowMs: number): string {
  switch (place.where) {
    case 'queued':
      return `queued at level ${String(place.item.level)}, number ${formatCount(place.position)} of ${plain(place.hostKey)}`;
    case 'leased':
      return 'taken out to be fetched';
    case 'retry':
      return `waits for another try, due in ${formatElapsed(Math.max(0, place.dueAtMs - nowMs))}`;
    case 'deadLetter':
      return `dead letter since ${new Date(place.atMs).toISOString()}: ${plain(place.reason)}`;
  }
}

function itemPairs(item: Item): [string, string][] {
  return [
    ['queued as', plain(item.url)],
    [
      'found',
      `${item.via === '' ? 'as a seed' : `on ${plain(item.via)}`}, depth ${String(item.depth)}`,
    ],
  ];
}

function triesPair({ attempts }: Item): [string, string] {
  return ['tries so far', String(attempts)];
}

function recordPairs({ record }: Trace, url: string): [string, string][] {
  if (record === null) return [];
  const reason = record.reason === null ? '' : `: ${plain(record.reason)}`;
  const status =
    record.status === null || record.reason === `HTTP ${String(record.status)}`
      ? ''
      : `, HTTP ${String(record.status)}`;
  const pairs: [string, string][] = [
    ['outcome', `${record.outcome}${reason}${status}, ${record.fetchedAt}`],
    [
      'found',
      `${record.via === null ? 'as a seed' : `on ${plain(record.via)}`}, depth ${String(record.depth)}`,
    ],
  ];
  if (record.url !== url) pairs.splice(1, 0, ['exported as', plain(record.url)]);
  if (record.noindex) pairs.push(['asks for', 'noindex']);
  if (record.finalUrl !== record.url) pairs.push(['leads to', plain(record.finalUrl)]);
  return pairs;
}
