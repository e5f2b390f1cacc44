import { describe, expect, it } from 'vitest';
import { resolveAdjustments, resolveCrawlOptions } from '../../../src/config/resolve.js';
import { crawlOptionsSchema } from '../../../src/config/schema.js';
import { CrawlError } from '../../../src/errors.js';

const SEEDS = ['https://example.com/'];

function refusal(resolve: () => unknown): CrawlError {
  try {
    resolve();
  } catch (error) {
    if (error instanceof CrawlError) return error;
    throw error;
  }
  throw new Error('expected a refusal');
}

function settingsOf(options: object) {
  return resolveCrawlOptions({ seeds: SEEDS, ...options }).settings;
}

describe('resolveCrawlOptions', () => {
  it('takes an explicit undefined for the default', () => {
    const fields = Object.keys(crawlOptionsSchema.shape).filter((field) => field !== 'seeds');
    expect(fields.length).toBeGreaterThan(30);
    const allUndefined = Object.fromEntries(fields.map((field) => [field, undefined]));
    expect(settingsOf(allUndefined)).toEqual(settingsOf({}));
    expect(settingsOf({ turn: { maxPages: undefined } })).toEqual(settingsOf({}));
  });

  it('brings durations and sizes to milliseconds and bytes', () => {
    const options = { delayMs: '2s', keep: '30d', maxDuration: '1h30m', maxBytes: '1KiB' };
    expect(settingsOf({ ...options, turn: { maxMs: '5s' } })).toMatchObject({
      delayMs: 2000,
      keepMs: 2_592_000_000,
      maxDurationMs: 5_400_000,
      maxBytes: 1024,
      turn: { maxPages: 20, maxMs: 5000, maxPerSecond: 50 },
    });
  });

  it('parses host mappings and priorities from text and takes them as objects', () => {
    const mapping = { pattern: '*.test', address: '127.0.0.1', port: 8080 };
    const boost = { pattern: '*?a=b', boost: -3 };
    const fromText = settingsOf({ mapHosts: ['*.TEST=127.0.0.1:8080'], priorities: ['*?a=b=-3'] });
    expect(fromText).toMatchObject({ mapHosts: [mapping], priorities: [boost] });
    expect(settingsOf({ mapHosts: [mapping], priorities: [boost] })).toEqual(fromText);
  });

  it('normalises seeds as they are requested', () => {
    const { seeds } = resolveCrawlOptions({ seeds: [' HTTPS://Example.com:443/a b#c '] });
    expect(seeds).toEqual(['https://example.com/a%20b']);
  });

  it('derives the robots agent from the user agent', () => {
    expect(settingsOf({ userAgent: 'mybot/2.0 (ops@example.com)' }).robotsAgent).toBe('mybot');
  });

  it.each([
    ['seeds', [], /^seeds: expected at least one URL, got \[\]; for example/],
    ['seeds', 'https://a.example/', /^seeds: expected a list of URLs, got "https/],
    ['seeds', ['ftp://a.example/'], /^seeds\[0\]: expected an absolute http or https URL/],
    ['seeds', ['example.com/a'], /^seeds\[0\]: .*did you mean "https:\/\/example\.com\/a"/],
    ['seeds', ['example'], /^seeds\[0\]: [^?]*got "example"; for example "https:/],
    ['scope', 'site', /^scope: expected one of host, domain, any, got "site"; for example host/],
    ['include', ['docs/*'], /^include\[0\]: .*can match no URL.*got "docs\/\*"/],
    ['exclude', ['/(/'], /^exclude\[0\]: .*Unterminated group/],
    ['priorities', ['*=many'], /^priorities\[0\]: expected PATTERN=BOOST/],
    ['priorities', [{ pattern: '*', boost: 256 }], /^priorities\[0\]: .*-255 to 255/],
    ['maxPages', 0, /^maxPages: expected a whole number of at least 1, or null/],
    ['maxPages', '50', /^maxPages: .*got "50"; for example 1000$/],
    ['maxDepth', -1, /^maxDepth: expected a whole number of at least 0/],
    ['maxDepth', 1.5, /^maxDepth: .*got 1\.5/],
    ['concurrency', null, /^concurrency: expected a whole number from 1 to 100000, got null/],
    ['concurrency', NaN, /^concurrency: .*got NaN/],
    ['delayMs', 'soon', /^delayMs: expected a duration from 0ms to 1d .*got "soon"; for example/],
    ['delayMs', -5, /^delayMs: expected a duration/],
    ['delayMs', '2d', /^delayMs: expected a duration from 0ms to 1d/],
    ['maxBytes', '10k', /^maxBytes: expected a size from 1B to 1GiB/],
    ['robots', true, /^robots: expected one of obey, ignore, got true/],
    ['sitemaps', 'yes', /^sitemaps: expected true or false, got "yes"/],
    ['userAgent', 'a\r\nb', /^userAgent: expected printable ASCII/],
    ['userAgent', '/1.0', /^userAgent: .*begins with a name/],
    ['mapHosts', ['a=b'], /^mapHosts\[0\]: expected PATTERN=IP\[:PORT\]/],
    ['mapHosts', [{ pattern: 'a', address: 'b', port: null }], /^mapHosts\[0\]: /],
    ['turn', 20, /^turn: expected an object such as/],
    ['turn', { maxPages: 0 }, /^turn\.maxPages: expected a whole number from 1/],
    ['bloomErrorRate', 0, /^bloomErrorRate: expected a number from/],
    ['out', ' ', /^out: expected the path of a folder/],
  ])('refuses %s: %j with field, value and remedy', (field, value, message) => {
    const error = refusal(() => settingsOf({ [field]: value }));
    expect(error.message).toMatch(message);
    expect(error).toMatchObject({ code: 'CONFIG_INVALID_OPTION', retryable: false });
  });

  it('lists every problem at once', () => {
    const error = refusal(() => resolveCrawlOptions({ delayMs: 'x', scop: 'any', maxPages: 0 }));
    expect(error.code).toBe('CONFIG_INVALID_OPTION');
    expect(error.message).toMatch(/^4 options are refused:\n- /);
    expect(error.details['fields']).toEqual(
      expect.arrayContaining(['seeds', 'delayMs', 'scop', 'maxPages']),
    );
  });

  it.each([
    ['maxPage', 'maxPages'],
    ['limit', 'maxPages'],
    ['depth', 'maxDepth'],
    ['delay', 'delayMs'],
    ['retires', 'retries'],
    ['max-bytes', 'maxBytes'],
    ['user_agent', 'userAgent'],
  ])('knows what is meant by the unknown option %s', (name, meant) => {
    const error = refusal(() => settingsOf({ [name]: 1 }));
    expect(error).toMatchObject({ code: 'CONFIG_UNKNOWN_OPTION', details: { fields: [name] } });
    expect(error.message).toContain(`did you mean ${meant}?`);
  });

  it('names an unknown part of an option and guesses nothing far-fetched', () => {
    expect(refusal(() => settingsOf({ turn: { maxPage: 2 } })).message).toBe(
      'turn.maxPage: expected the name of an option; did you mean turn.maxPages?',
    );
    expect(refusal(() => settingsOf({ colour: 1 })).message).toContain('docs/options.md');
  });

  it('keeps credentials of a seed out of the message', () => {
    const error = refusal(() => resolveCrawlOptions({ seeds: ['https://joe:secret@a.example/'] }));
    expect(error.message).toContain('without user name and password');
    expect(error.message).not.toContain('secret');
  });

  it('refuses what is no object', () => {
    expect(refusal(() => resolveCrawlOptions(null)).message).toMatch(/^options: expected an obj/);
    expect(refusal(() => resolveCrawlOptions([SEEDS])).message).toMatch(/^options: expected an/);
  });
});

describe('resolveAdjustments', () => {
  it('returns only what is given', () => {
    expect(resolveAdjustments({})).toEqual({});
    expect(Object.keys(resolveAdjustments({ delayMs: undefined, retries: 0 }))).toEqual([
      'retries',
    ]);
  });

  it('brings durations to milliseconds and keeps null as no limit', () => {
    const given = { maxPages: null, maxDuration: '2h', hostPatience: '1d', maxDelayMs: '5m' };
    expect(resolveAdjustments(given)).toEqual({
      maxPages: null,
      maxDurationMs: 7_200_000,
      hostPatienceMs: 86_400_000,
      maxDelayMs: 300_000,
    });
  });

  it('refuses options that are fixed once a crawl has started', () => {
    const error = refusal(() => resolveAdjustments({ scope: 'any' }));
    expect(error.code).toBe('CONFIG_UNKNOWN_OPTION');
    expect(error.message).toMatch(/^scope: .*fixed once a crawl has started/);
  });
});
