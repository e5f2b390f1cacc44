import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FAILURE_POLICY } from '../../src/fetch/failure-policy.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Codes of the string unions in src/errors.ts. */
const codesInSource = [
  ...read('src/errors.ts').matchAll(/[|=] '((?:CONFIG|URL|FETCH|FRONTIER|OUTPUT)_[A-Z_]+)'/g),
].map((match) => match[1]!);
const rows = [...read('docs/errors.md').matchAll(/^\| ([A-Z_]+) +\| .* \| (yes|no) +\|$/gm)];

describe('docs/errors.md', () => {
  it('lists every code of src/errors.ts, and no other, once', () => {
    const documented = rows.map((row) => row[1]!);
    expect([...documented].sort()).toEqual([...new Set(codesInSource)].sort());
  });

  it('says of every fetch code whether it is tried again, as the retry table does', () => {
    const documented = Object.fromEntries(
      rows.filter((row) => row[1]!.startsWith('FETCH_')).map((row) => [row[1]!, row[2] === 'yes']),
    );
    const table = Object.fromEntries(
      Object.entries(FAILURE_POLICY).map(([code, policy]) => [code, policy.retryable]),
    );
    expect(documented).toEqual(table);
  });
});
