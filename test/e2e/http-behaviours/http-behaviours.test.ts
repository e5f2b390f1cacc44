/**
 * Every played behaviour, all at once, through the whole engine: what test/vectors/http.json says of
 * each is checked against the crawl's records and against what the host itself saw.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CRAWLS,
  expectedEnds,
  HTTP_CASES,
  isPlayed,
  recordUrl,
  seedUrl,
} from '../../support/http-behaviours/http-case.js';
import { startPlayedWeb, type PlayedWeb } from '../../support/http-behaviours/start.js';
import { crawlPlayedWeb, type PlayedCrawl } from './crawls.js';
import { expectSeen } from './what-the-host-saw.js';

const PLAYED = HTTP_CASES.filter(isPlayed);
const crawlOf = ({ crawl = 'open' }: { crawl?: string }): string => crawl;

/** What is more than a code in a reason: what was asked for, and how long (docs/errors.md). */
const codeOf = (reason: string): string =>
  reason.replace(/^robots\.txt: /, '').replace(/, longer than hostPatience$/, '');

let web: PlayedWeb;
let crawls: Readonly<Record<string, PlayedCrawl>>;

beforeAll(async () => {
  web = await startPlayedWeb();
  const crawlWith = (name: (typeof CRAWLS)[number]) => ({
    seeds: PLAYED.filter((one) => crawlOf(one) === name).flatMap(({ name, seeds = ['/'] }) =>
      seeds.map((seed) => seedUrl(web, name, seed)),
    ),
    options: { allowPrivate: name === 'open' },
  });
  crawls = await crawlPlayedWeb(web, { open: crawlWith('open'), guarded: crawlWith('guarded') });
});

afterAll(() => web?.close());

describe('C3: hosts that misbehave in every way at once', () => {
  it.each(PLAYED)('$category: $name ends as it must', (one) => {
    const { records } = crawls[crawlOf(one)]!;
    const expected = expectedEnds(one);
    const ends = Object.keys(expected).map((written) => {
      const record = records.get(recordUrl(web, one.name, written));
      const words = record
        ? [record.outcome, record.reason === null ? '' : codeOf(record.reason)]
        : [];
      return [written, words.join(' ').trim()];
    });
    expect(Object.fromEntries(ends)).toEqual(expected);
    for (const [written, title] of Object.entries(one.titles ?? {})) {
      expect(records.get(recordUrl(web, one.name, written))?.title).toBe(title);
    }
    expectSeen(web, one);
  });

  it('the crawls end by themselves, with every URL accounted for', () => {
    for (const { result } of Object.values(crawls)) {
      expect(result).toMatchObject({ state: 'finished', refusedSeeds: [] });
      const { discovered, fetched, notModified, duplicate, redirected, failed, skipped, ...rest } =
        result.totals;
      expect(rest).toMatchObject({ outstanding: 0, leased: 0 });
      expect(discovered - rest.held).toBe(
        fetched + notModified + duplicate + redirected + failed + skipped,
      );
    }
  });

  it('every connection is closed in the end, by whoever', async () => {
    const open = web.names.filter((name) => web.logOf(name).open > 0);
    expect(open).toEqual([]);
  });

  it('every failure has a code of docs/errors.md, or a status', () => {
    const codes = new Set(
      [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| ([A-Z_]+) +\|/gm)].map(
        ([, code]) => code,
      ),
    );
    const reasons = Object.values(crawls).flatMap(({ records }) =>
      [...records.values()].flatMap(({ outcome, reason }) => (outcome === 'failed' ? reason : [])),
    );
    const unknown = reasons.filter((reason) => {
      const code = codeOf(reason ?? '').replace(/ \(\w+\)$/, '');
      return !codes.has(code) && !/^HTTP \d{3}$/.test(code);
    });
    expect(reasons.length).toBeGreaterThan(100);
    expect(unknown).toEqual([]);
  });
});
