import { describe, expect, it } from 'vitest';
import { remedyOf } from '../../../src/cli/remedies.js';
import { seedLines } from '../../../src/cli/seed-report.js';
import type { SinkRecord } from '../../../src/contracts/urls.js';
import { FAILURE_POLICY } from '../../../src/fetch/failure-policy.js';
import { DEFAULT_CANONICAL } from '../../../src/url/canonical-settings.js';
import { fingerprintOf } from '../../../src/url/canonical-url.js';
import { host, status } from './builders.js';

const SEED = 'https://example.com/';

function lines(
  record: Partial<SinkRecord> | null,
  extra: Partial<Parameters<typeof seedLines>[0]> = {},
): string[] {
  const full = { url: SEED, finalUrl: SEED, reason: null, ...record } as SinkRecord;
  return seedLines({
    status: status(),
    refusedSeeds: [],
    hosts: [],
    records: new Map(record === null ? [] : [[fingerprintOf(SEED, DEFAULT_CANONICAL), full]]),
    isInScope: (url) => url.startsWith(SEED),
    ...extra,
  });
}

describe('seedLines', () => {
  it('says nothing of a seed that brought its page or leads to one in scope', () => {
    expect(lines({ outcome: 'fetched' })).toEqual([]);
    expect(lines({ outcome: 'redirected', finalUrl: `${SEED}home` })).toEqual([]);
  });

  it('says where a seed redirects to when that is out of scope', () => {
    expect(lines({ outcome: 'redirected', finalUrl: 'https://other.example/' })).toEqual([
      'seed redirects out of scope: https://example.com/ to https://other.example/; start from ' +
        'there, or widen --scope (it is domain) or --include',
    ]);
  });

  it.each([
    [{ outcome: 'skipped', reason: 'robotsTxt' }, /robots\.txt forbids .*--robots ignore/],
    [{ outcome: 'skipped', reason: 'privateAddress' }, /--allow-private/],
    [{ outcome: 'failed', reason: 'HTTP 404' }, /seed failed: .*HTTP 404; there is no such page/],
    [{ outcome: 'failed', reason: 'robots.txt: FETCH_CONNECT_TIMEOUT' }, /firewall/],
    [{ outcome: 'failed', reason: 'FETCH_DNS_NOT_FOUND' }, /check the spelling/],
  ] as const)('says what to do about %o', (record, expected) => {
    expect(lines(record)).toEqual([expect.stringMatching(expected)]);
  });

  it('says what a host waits for whose seed was not fetched', () => {
    const waiting = host('example.com', { state: 'waiting', queued: 1, reason: 'HTTP 503' });
    expect(lines(null, { hosts: [waiting] })).toEqual([
      'seed not fetched: https://example.com/: HTTP 503; the site is busy; resume later, or raise --delay',
    ]);
  });

  it('repeats refused seeds with their reason, without what a terminal would act on', () => {
    const refusedSeeds = [{ seed: 'no\u001b[2Jurl', reason: 'not an http or https URL' }];
    expect(lines({ outcome: 'fetched' }, { refusedSeeds })).toEqual([
      'seed refused: no?[2Jurl: not an http or https URL',
    ]);
  });

  it('does not flood the screen', () => {
    const refusedSeeds = Array.from({ length: 500 }, (_, n) => ({ seed: `s${n}`, reason: 'r' }));
    const told = lines({ outcome: 'fetched' }, { refusedSeeds });
    expect(told).toHaveLength(21);
    expect(told.at(-1)).toMatch(/more seeds/);
  });
});

describe('remedyOf', () => {
  it.each(Object.keys(FAILURE_POLICY))('has something to say about %s', (code) => {
    expect(remedyOf(code, SEED).length).toBeGreaterThan(10);
  });

  it('quotes a URL for the shell', () => {
    expect(remedyOf('FETCH_ABORTED', 'https://e.example/?a=1&b=2')).toBe(
      "try it with: curl -I 'https://e.example/?a=1&b=2'",
    );
  });
});
