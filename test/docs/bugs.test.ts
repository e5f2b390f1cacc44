/** test/vectors/bugs.json: every bug report of the field has a test that is there, or says why not. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasSharedCases, sharedName } from '../vectors/shared-cases.js';

interface Bug {
  /** Its number in the public collection. */
  readonly bug: number;
  readonly behaviour: string;
  /** Path of the test file. */
  readonly test?: string;
  /** Name of the test, or of the vector that it plays. */
  readonly name?: string;
  /** Why there is no test. */
  readonly notBuilt?: string;
}

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const bugs = JSON.parse(read('test/vectors/bugs.json')) as readonly Bug[];
const played = ['http', 'robots'].map((name) => read(`test/vectors/${name}.json`)).join('');

describe('test/vectors/bugs.json', () => {
  it('has each number once, in order', () => {
    const numbers = bugs.map(({ bug }) => bug);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(numbers.length).toBeGreaterThan(50);
  });

  it.each(bugs)('$bug: $behaviour', ({ test, name, notBuilt }) => {
    if (notBuilt !== undefined) {
      expect([test, name]).toEqual([undefined, undefined]);
      return;
    }
    expect(existsSync(new URL(test!, ROOT)), test).toBe(true);
    const isTest = read(test!).includes(name!);
    const isVector = test!.startsWith('test/e2e/') && played.includes(`"name": "${name!}"`);
    expect(isTest || isVector, `${test!} has "${name!}"`).toBe(true);
  });

  it.skipIf(!hasSharedCases)(sharedName('answers every public bug report'), () => {
    const text = readFileSync(new URL('../shared/cases/bugs.md', ROOT), 'utf8');
    const numbers = [...text.matchAll(/^(\d+)\. \*\*/gm)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(50);
    expect(bugs.map(({ bug }) => bug)).toEqual(numbers.sort((a, b) => a - b));
  });
});
