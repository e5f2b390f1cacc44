import { describe, expect, it } from 'vitest';
import {
  bar,
  fit,
  formatBytes,
  formatElapsed,
  formatTally,
  plain,
} from '../../../src/cli/display/format.js';
import { renderFrame, type FrameFacts } from '../../../src/cli/display/frame.js';
import { PlainReporter } from '../../../src/cli/display/plain-reporter.js';
import { RateMeter, type Snapshot } from '../../../src/cli/display/snapshot.js';
import { host, status } from './builders.js';

const FACTS: FrameFacts = {
  crawlId: 'c1',
  startedAtMs: 0,
  nowMs: 65_000,
  webUrl: 'http://127.0.0.1:8233/namespaces/default/workflows/crawl%2Fc1',
  note: null,
  columns: 80,
  rows: 40,
};
const RATES = { pagesPerSecond: 2.5, bytesPerSecond: 2048 };
const HOSTS = [
  host('busy.example', { fetched: 30, queued: 10, leasedUrl: 'https://busy.example/a?b=1' }),
  host('quiet.example', { fetched: 3, queued: 1 }),
  host('sick.example', {
    state: 'waiting',
    queued: 7,
    reason: 'Retry-After',
    nextAtMs: 65_000 + 41_500,
  }),
  host('polite.example', {
    state: 'waiting',
    queued: 5,
    reason: 'crawl delay',
    nextAtMs: 66_000,
  }),
  host('done.example', { state: 'idle', fetched: 9 }),
];
const TOTALS = { discovered: 100, fetched: 40, outstanding: 50, held: 10, hosts: 5, bytes: 1e6 };
const SNAPSHOT: Snapshot = { status: status({ totals: TOTALS }), hosts: HOSTS, atMs: 65_000 };

describe('formats', () => {
  it('states sizes and times in units that people read', () => {
    expect([0, 1023, 1536, 5e9].map(formatBytes)).toEqual(['0 B', '1023 B', '1.5 KiB', '4.7 GiB']);
    expect([400, 59_999, 60_000, 3_723_000, 90_061_000].map(formatElapsed)).toEqual([
      '0s',
      '59s',
      '1m',
      '1h 2m',
      '1d 1h',
    ]);
    expect(formatTally({ depth: 2, robotsTxt: 1200, trap: 0 })).toBe('1,200 robotsTxt, 2 depth');
  });

  it('draws bars and cuts in the middle within the width', () => {
    expect(bar(0.5, 4)).toBe('██░░');
    expect([bar(-1, 2), bar(7, 2)]).toEqual(['░░', '██']);
    expect(fit('abcdefghij', 5)).toBe('ab…ij');
    expect(fit('abc', 0)).toBe('');
  });

  it('lets nothing through that a terminal would act on', () => {
    expect(plain('a\u001b[31mb\u202ec\n')).toBe('a?[31mb?c?');
  });
});

describe('renderFrame', () => {
  const frame = (changes: Partial<FrameFacts> = {}, snapshot: Snapshot | null = SNAPSHOT) =>
    renderFrame(snapshot, RATES, { ...FACTS, ...changes });

  it('shows state, bar, counters, rates, hosts and the address of the web UI', () => {
    const text = frame().join('\n');
    expect(text).toContain('c1  running  1m 5s');
    expect(text).toMatch(/█+░+ {2}40 of 100 URLs known/);
    expect(text).toContain('fetched 40  redirected 0  skipped 0  failed 0  queued 60');
    expect(text).toContain('2.5 pages/s  2.0 KiB/s');
    expect(text).toMatch(/busiest\n {4}busy\.example .* 30 of 40 .*\/a\?b=1\n {4}quiet\.example/);
    expect(text).toMatch(/waiting\n {4}sick\.example .*7 queued {2}Retry-After, next in 42s/);
    expect(text).toContain(FACTS.webUrl);
  });

  it('takes a host that makes an ordinary crawl delay for one at work', () => {
    const [atWork, waiting] = frame().join('\n').split('  waiting\n');
    expect(atWork).toMatch(/polite\.example .* 0 of 5/);
    expect(waiting).not.toContain('polite.example');
  });

  it('leaves out hosts that are done', () => {
    expect(frame().join('\n')).not.toContain('done.example');
  });

  it.each([40, 60, 80, 200])('fits %i columns, but for the address, which is never cut', (n) => {
    for (const line of frame({ columns: n, note: 'x'.repeat(300) })) {
      if (!line.includes('web UI')) expect(line.length).toBeLessThan(n + 1);
    }
    expect(frame({ columns: n }).some((line) => line.includes(FACTS.webUrl!))).toBe(true);
  });

  it('fits a low terminal', () => {
    const hosts = Array.from({ length: 40 }, (_, n) => host(`h${n}.example`, { queued: 9 }));
    const sick = hosts.map((one) => ({ ...one, hostKey: `s${one.hostKey}`, state: 'blocked' }));
    const many = { ...SNAPSHOT, hosts: [...hosts, ...(sick as typeof hosts)] };
    expect(frame({ rows: 16 }, many).length).toBeLessThan(16);
    expect(frame({ rows: 60 }, many).length).toBeGreaterThan(16);
  });

  it('counts against the page limit where that end is nearer', () => {
    const limited = status({ totals: TOTALS, settings: { maxPages: 50 } });
    const text = frame({}, { ...SNAPSHOT, status: limited }).join('\n');
    expect(text).toContain('40 of at most 50 pages');
  });

  it('says the expected number of URLs that the Bloom filter skips, from a half on', () => {
    const shown = (expectedFalseSkips: number) =>
      frame({}, { ...SNAPSHOT, status: status({ expectedFalseSkips }) }).join('\n');
    expect(shown(0.49)).not.toContain('Bloom');
    expect(shown(2.4)).toContain('about 2 new URLs skipped as seen (Bloom filter');
  });

  it('says that it starts before there is anything to look at', () => {
    expect(frame({}, null)[0]).toBe('c1  starting  1m 5s');
  });

  it('says when its figures are old', () => {
    expect(frame({ columns: 120 }, { ...SNAPSHOT, isStale: true })[0]).toContain('does not answer');
  });
});

describe('RateMeter', () => {
  it('tells the rates of the last ten seconds', () => {
    const meter = new RateMeter();
    const at = (seconds: number, fetched: number) =>
      meter.add({ atMs: seconds * 1000, status: status({ totals: { fetched, bytes: fetched } }) });
    expect(at(0, 0).pagesPerSecond).toBe(0);
    expect(at(5, 10).pagesPerSecond).toBe(2);
    expect(at(10, 20)).toEqual({ pagesPerSecond: 2, bytesPerSecond: 2 });
    for (let second = 11; second <= 30; second += 1) at(second, 20);
    expect(at(31, 20).pagesPerSecond).toBe(0);
  });
});

describe('PlainReporter', () => {
  function report(looks: readonly (Partial<Snapshot> & { atMs: number })[]): string[] {
    const lines: string[] = [];
    const reporter = new PlainReporter((line) => lines.push(line), { startedAtMs: 0 });
    for (const look of looks) reporter.update({ ...SNAPSHOT, hosts: [], ...look });
    return lines;
  }
  const fetched = (count: number) => status({ totals: { fetched: count } });

  it('writes a line every five seconds at most, and none while nothing changes', () => {
    const looks = Array.from({ length: 30 }, (_, n) => ({
      atMs: n * 1000,
      status: fetched(Math.min(n, 12)),
    }));
    expect(report(looks).map((line) => /^\[\d+s\] \d+ fetched/.exec(line)?.[0])).toEqual([
      '[0s] 0 fetched',
      '[5s] 5 fetched',
      '[10s] 10 fetched',
      '[15s] 12 fetched',
    ]);
  });

  it('is not silent for longer than a minute', () => {
    const looks = Array.from({ length: 100 }, (_, n) => ({ atMs: n * 1000, status: fetched(1) }));
    expect(report(looks)).toHaveLength(2);
  });

  it('tells a change of state and a host in trouble once', () => {
    const sick = [host('sick.example', { state: 'waiting', reason: 'HTTP 503', nextAtMs: 90_000 })];
    const paused = status({ state: 'paused' });
    const lines = report([
      { atMs: 0 },
      { atMs: 100, hosts: sick },
      { atMs: 200, hosts: sick, status: paused },
      { atMs: 300, hosts: sick, status: paused },
    ]);
    expect(lines.slice(1)).toEqual(['sick.example: HTTP 503, next in 1m 30s', 'crawl is paused']);
  });
});
