import { describe, expect, it } from 'vitest';
import type { CrawlTotals } from '../../../src/contracts/frontier.js';
import { unexplainedRepeats, type Kill } from '../../support/e2e/kills.js';
import { expectBalanced, expectNone } from '../../support/e2e/verdict.js';
import type { RequestRecord } from '../../support/synthetic-web/request-log.js';

let nextId = 1;
const request = (path: string, startMs: number, more: Partial<RequestRecord> = {}) => ({
  id: nextId++,
  host: 'site-000.test',
  method: 'GET',
  path,
  kind: 'page' as const,
  userAgent: 'bot',
  connection: 1,
  startMs,
  endMs: startMs + 10,
  status: 200,
  retryAfterMs: null,
  aborted: false,
  ...more,
});
const kill = (fromMs: number): Kill => ({ what: 'a worker dies', fromMs, untilMs: fromMs + 5 });

describe('the verdict on repeats after kills', () => {
  it('explains one repeat of the page that ran when the kill came', () => {
    const log = [request('/a', 0), request('/b', 100), request('/b', 400)];
    expect(unexplainedRepeats(log, [kill(150)])).toEqual([]);
  });

  it('explains no repeat of a page that was done by then', () => {
    const log = [request('/a', 0), request('/b', 100), request('/b', 400), request('/a', 500)];
    expect(unexplainedRepeats(log, [kill(150)])).toEqual([{ before: log[0], again: log[3] }]);
  });

  it('explains no second repeat by the same kill', () => {
    const log = [request('/a', 0), request('/a', 100), request('/a', 200)];
    expect(unexplainedRepeats(log, [kill(50)])).toEqual([{ before: log[1], again: log[2] }]);
    expect(unexplainedRepeats(log, [kill(50), kill(150)])).toEqual([]);
  });

  it('explains no repeat by a kill that came after it', () => {
    const log = [request('/a', 0), request('/a', 100)];
    expect(unexplainedRepeats(log, [kill(150)])).toHaveLength(1);
  });

  it('counts requests that were broken off, however the URL is spelt', () => {
    const broken = { status: 0, aborted: true };
    const log = [request('/a', 0, broken), request('/a?utm_source=x', 100)];
    expect(unexplainedRepeats(log, [])).toHaveLength(1);
  });

  it('lets refusals, redirects and robots.txt be asked for again', () => {
    const log = [503, 429, 301].flatMap((status) => [
      request(`/s${status}`, status, { status }),
      request(`/s${status}`, status + 1, { status }),
    ]);
    const robots = { kind: 'robots' as const };
    log.push(request('/robots.txt', 1000, robots), request('/robots.txt', 1100, robots));
    expect(unexplainedRepeats(log, [])).toEqual([]);
  });
});

describe('the verdict on totals', () => {
  const totals = {
    discovered: 7,
    fetched: 1,
    redirected: 1,
    failed: 1,
    skipped: 1,
    notModified: 0,
  };
  const whole = { ...totals, duplicate: 0, outstanding: 2, held: 1, leased: 0 } as CrawlTotals;

  it('accepts what adds up and names what does not', () => {
    expect(() => expectBalanced(whole, [{} as never])).not.toThrow();
    expect(() => expectBalanced({ ...whole, discovered: 8 }, [{} as never])).toThrow(
      'discovered 8',
    );
    expect(() => expectBalanced(whole, [])).toThrow('exported 0 of 1');
  });

  it('prints the first offenders of a list', () => {
    expect(() => expectNone([], 'strays')).not.toThrow();
    expect(() => expectNone([{ path: '/x' }, { path: '/y' }], 'strays')).toThrow(
      '2 strays:\n{"path":"/x"}',
    );
  });
});
