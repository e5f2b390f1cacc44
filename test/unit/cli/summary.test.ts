import { describe, expect, it } from 'vitest';
import { jsonResult, noPageLines, summaryLines } from '../../../src/cli/display/summary.js';
import { queuedCount } from '../../../src/contracts/totals.js';
import { checkLines } from '../../../src/cli/commands/doctor.js';
import { foundLine } from '../../../src/cli/commands/resume.js';
import { nodeCheck } from '../../../src/cli/doctor-checks.js';
import { judgedChecks } from '../../../src/cli/redis-fitness.js';
import { status } from './builders.js';

const NEXT = { export: 'EXPORT', failures: 'FAILURES', held: 'HELD', resume: 'RESUME' };

describe('jsonResult', () => {
  it('has the documented fields, in their order', () => {
    const finished = status({
      state: 'finished',
      finishReason: 'completed',
      totals: {
        discovered: 9,
        fetched: 4,
        notModified: 1,
        redirected: 1,
        failed: 1,
        skipped: 1,
        held: 1,
        trapped: 3,
        hosts: 2,
        bytes: 77,
      },
    });
    expect(JSON.stringify(jsonResult(finished, 1234))).toBe(
      '{"crawlId":"c1","state":"finished","finishReason":"completed","discovered":9,"fetched":5,' +
        '"redirected":1,"failed":1,"skipped":1,"queued":1,"trapped":3,"hosts":2,"bytes":77,"durationMs":1234,' +
        '"out":"/data/out/c1"}',
    );
  });
});

describe('queuedCount', () => {
  it('leaves sitemaps out, so that every discovered URL is done or queued', () => {
    const changes = { discovered: 5, fetched: 1, failed: 1, outstanding: 5, held: 0 };
    expect(queuedCount(status({ totals: changes }).totals)).toBe(3);
  });
});

describe('summaryLines', () => {
  it('says what came of it, where it is and how to go on', () => {
    const ended = status({
      state: 'finished',
      finishReason: 'pageLimit',
      expectedFalseSkips: 3,
      totals: {
        fetched: 1500,
        failed: 2,
        skipped: 3,
        skips: { robotsTxt: 3 },
        rejected: { outOfScope: 7 },
        discovered: 1525,
        trapped: 4,
        hosts: 1,
      },
    });
    const text = summaryLines(ended, 61_000, NEXT).join('\n');
    expect(text).toContain('crawl c1 is finished: its page limit (--limit) is reached (1m 1s)');
    expect(text).toContain('1,500 pages (0 B) from 1 host, 0 redirected, 3 skipped, 2 failed');
    expect(text).toContain('skipped: 3 robotsTxt');
    expect(text).toContain('links not followed: 7 outOfScope');
    expect(text).toContain('about 3 new URLs skipped');
    expect(text).toContain('4 URLs held back that look like crawl traps');
    for (const part of ['/data/out/c1', ...Object.values(NEXT)]) expect(text).toContain(part);
  });

  it('offers neither export nor resume where there is nothing to export or fetch', () => {
    const text = summaryLines(status({ state: 'finished' }), 0, NEXT).join('\n');
    for (const command of Object.values(NEXT)) expect(text).not.toContain(command);
  });
});

describe('noPageLines', () => {
  it('always says something', () => {
    expect(noPageLines(status())).toEqual(['no page was stored: no URL was admitted']);
    const totals = { failed: 1, skipped: 2, skips: { robotsTxt: 2 }, discovered: 6 };
    expect(noPageLines(status({ totals, finishReason: 'maxDuration' }))).toEqual([
      'no page was stored: 1 URL failed; skipped: 2 robotsTxt; 3 still queued; ended because its time (--max-duration) is up',
    ]);
  });
});

describe('resume', () => {
  it('says what it found', () => {
    const totals = { fetched: 12, discovered: 52 };
    expect(foundLine(status({ totals }), true)).toBe(
      'crawl c1 is running: 12 fetched, 40 queued; its workflow lives; joining it',
    );
    expect(foundLine(status({ state: 'paused' }), true)).toContain('orbweaver unpause c1');
    expect(foundLine(status({ state: 'finished' }), false)).toContain('starting its workflow');
  });
});

describe('doctor', () => {
  it('refuses a Node that is too old', () => {
    expect(nodeCheck('20.18.3').status).toBe('fail');
    expect(['20.19.0', '22.1.0'].map((version) => nodeCheck(version).status)).toEqual(['ok', 'ok']);
  });

  it('shows a remedy under what is not well', () => {
    const checks = [
      { name: 'a', status: 'ok', detail: 'fine' },
      { name: 'long name', status: 'fail', detail: 'broken', remedy: 'mend it' },
    ] as const;
    expect(checkLines(checks)).toEqual([
      'ok    a          fine',
      'fail  long name  broken',
      '                 → mend it',
    ]);
  });

  it('fails for a Redis that evicts, and says what to set', () => {
    const facts = {
      version: '8.0.0',
      role: 'master',
      evictionPolicy: 'allkeys-lru',
      usedBytes: 1,
      maxBytes: 0,
      machineBytes: 0,
      isAofOn: true,
      aofWriteStatus: 'ok',
      appendfsync: 'everysec',
      savePoints: '60 1',
      lastSaveStatus: 'ok',
      listCompressDepth: 1,
      hasBloom: true,
    };
    const message = 'maxmemory-policy is allkeys-lru: bad; set maxmemory-policy noeviction';
    const [server, finding] = judgedChecks(facts, [{ level: 'error', check: 'eviction', message }]);
    expect(server).toMatchObject({ name: 'Redis', status: 'fail' });
    expect(finding).toMatchObject({ status: 'fail', remedy: 'set maxmemory-policy noeviction' });
    expect(judgedChecks(facts, [])).toMatchObject([{ status: 'ok' }]);
  });
});
