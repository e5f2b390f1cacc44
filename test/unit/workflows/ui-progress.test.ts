import { describe, expect, it } from 'vitest';
import { newCrawlProgress, heartbeatMsFor } from '../../../src/workflows/crawl-state.js';
import { newHostProgress } from '../../../src/workflows/host-state.js';
import { crawlDetails, hostDetails, summary } from '../../../src/workflows/ui-progress.js';

describe('what the web UI shows (C6)', () => {
  it('cuts a summary at the 120 characters that it shows', () => {
    expect(summary('x'.repeat(120))).toBe('x'.repeat(120));
    expect(summary('x'.repeat(121))).toBe(`${'x'.repeat(119)}…`);
  });

  it('tells what a host did, does next and why not yet', () => {
    const details = hostDetails({
      ...newHostProgress('a.test'),
      ...{ state: 'waiting', fetched: 7, queued: 3, reason: 'HTTP 503' },
      ...{ lastUrl: 'http://a.test/1', lastOutcome: 'retrying (HTTP 503)' },
      ...{ nextUrl: 'http://a.test/2', nextAt: '2026-01-01T06:00:00.000Z' },
    });
    expect(details.split('\n')).toEqual([
      '**a.test** is **waiting**: HTTP 503',
      '',
      '- so far: 7 fetched, 0 redirected, 0 skipped, 0 failed, 0 retried',
      '- queued: 3',
      '- last: `http://a.test/1` retrying (HTTP 503)',
      '- next: `http://a.test/2`',
      '- not before: 2026-01-01T06:00:00.000Z',
    ]);
  });

  it('keeps a URL from acting as Markdown', () => {
    const nextUrl = 'http://a.test/`[x](http://evil.test)';
    const details = hostDetails({ ...newHostProgress('a.test'), nextUrl });
    expect(details).toContain('`http://a.test/%60[x](http://evil.test)`');
  });

  it.each(['*_a_*.test', '[::1]:8080', '__proto__', 'h'.repeat(16_000)])(
    'keeps the host %s from acting as Markdown',
    (hostKey) => {
      const [first] = hostDetails(newHostProgress(hostKey)).split('\n');
      expect(first).toMatch(/^\*\*`[^`]{1,501}`\*\* is \*\*active\*\*$/);
    },
  );

  it('keeps a refused seed to its line', () => {
    const seed = 'x\n\n# y\n![z](http://evil.test/`)';
    const refused = { ...newCrawlProgress('c1'), refusedSeeds: [{ seed, reason: 'r' }] };
    expect(crawlDetails(refused).split('\n').at(-1)).toBe(
      '- refused seed `x # y ![z](http://evil.test/%60)`: r',
    );
  });

  it('tells the counters of a crawl and the seeds that it refused', () => {
    const progress = newCrawlProgress('c1');
    const details = crawlDetails({
      ...progress,
      ...{ state: 'finished', finishReason: 'pageLimit' },
      totals: { ...progress.totals, discovered: 9, fetched: 5, outstanding: 3, held: 1 },
      refusedSeeds: [{ seed: 'ftp://x', reason: 'not an http or https URL' }],
    });
    expect(details).toContain('**c1** is **finished** (pageLimit)');
    expect(details).toContain(
      '- URLs: 9 discovered, 5 fetched, 0 redirected, 0 skipped, 0 failed, 4 queued',
    );
    expect(details).toContain('- refused seed `ftp://x`: not an http or https URL');
  });
});

describe('progress of a crawl', () => {
  it('starts as preparing, and as it was in a run that goes on', () => {
    expect(newCrawlProgress('c1')).toMatchObject({ state: 'preparing', hostsStarted: 0 });
    const carried = { owner: 'o', polls: 4, hostsStarted: 3, refusedSeeds: [] };
    expect(newCrawlProgress('c1', carried)).toMatchObject({ state: 'running', hostsStarted: 3 });
    expect(newCrawlProgress('c1', { ...carried, state: 'paused' })).toMatchObject({
      state: 'paused',
    });
  });

  it.each([
    [0, 10_000],
    [150, 10_000],
    [500, 33_333],
    [10_000, 60_000],
  ])('with %i active hosts a turn is given up after %i ms of silence', (hosts, ms) => {
    expect(heartbeatMsFor(hosts)).toBe(ms);
  });
});
