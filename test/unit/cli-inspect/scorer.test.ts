/**
 * The public cases beside the repository, asked through the command line by their own scorer, which
 * holds answers, time and memory against their bounds. About ten seconds.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { caseExceptions, hasSharedCases, sharedName } from '../../vectors/shared-cases.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CASES = fileURLToPath(new URL('../../../../shared/cases', import.meta.url));
/** The sources, so that no stale build is scored. */
const COMMAND = `${process.execPath} --import ${import.meta.resolve('tsx')} ${ROOT}src/cli/main.ts`;
const TIMEOUT_MS = 180_000;

interface Report {
  readonly must: readonly [number, number];
  readonly should: readonly [number, number];
  readonly startFailure: string | null;
  readonly batch: boolean;
  readonly failures: readonly { name: string; bucket: string; why: string; category: string }[];
}

async function score(kind: string, ...flags: string[]): Promise<Record<string, Report>> {
  const { stdout } = await promisify(execFile)(
    'python3',
    [
      `${CASES}/score/score.py`,
      ...['--cmd', COMMAND, '--cwd', ROOT, '--kind', kind],
      ...['--file-dir', CASES, '--set', 'full', '--json', ...flags],
    ],
    { maxBuffer: 64 * 1024 ** 2, timeout: TIMEOUT_MS },
  );
  return (JSON.parse(stdout) as { kinds: Record<string, Report> }).kinds;
}

/** Scored cases that failed, but for those that exceptions.json argues against. */
function failuresOf(reports: Record<string, Report>): string[] {
  const excused = new Set(caseExceptions.map(({ name }) => name));
  return Object.values(reports).flatMap(({ failures }) =>
    failures
      .filter(({ name, bucket }) => /^(?:must|should)$/.test(bucket) && !excused.has(name))
      .map(({ category, name, why }) => `${category}/${name}: ${why}`),
  );
}

describe.skipIf(!hasSharedCases)(sharedName('orbweaver inspect, scored'), () => {
  it('passes every must and should case of every kind', { timeout: TIMEOUT_MS }, async () => {
    const reports = await score('all', '--extra-fields');
    expect(failuresOf(reports)).toEqual([]);
    expect(Object.keys(reports).sort()).toEqual(['links', 'psl', 'robots', 'sitemap', 'url']);
    for (const report of Object.values(reports)) {
      // It streams: only then are time and memory measured.
      expect(report).toMatchObject({ batch: false, startFailure: null });
      expect(report.must[1]).toBeGreaterThan(30);
    }
  });

  it('passes the robots cases also where bytes come as text', { timeout: TIMEOUT_MS }, async () => {
    expect(failuresOf(await score('robots'))).toEqual([]);
  });
});
