/**
 * The larger public case collection beside the repository, where it is there. Its must and should
 * cases, without those that its sources disagree on, are asserted in one test an area.
 */

import { existsSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../../shared/cases/', import.meta.url);

/** Is the collection there? Tests that need it are left out, and say so, when it is not. */
export const hasSharedCases = existsSync(FOLDER);

/** What every case has; the rest is the area's own. */
export interface SharedCase {
  readonly name: string;
  readonly level: 'must' | 'should' | 'policy' | 'vendor';
  readonly contested?: boolean;
}

/** A case that is arguably wrong. */
export interface CaseException {
  /** Name of the collection's file, without its ending. */
  readonly file: string;
  readonly name: string;
  /** Why, with the section of the standard. */
  readonly reason: string;
}

/** Cases that we do not follow: exceptions.json. */
export const caseExceptions = JSON.parse(
  readFileSync(new URL('./exceptions.json', import.meta.url), 'utf8'),
) as readonly CaseException[];

/** Scored cases of `<file>.json`, without the exceptions. */
export function sharedCases<T extends SharedCase>(file: string): readonly T[] {
  const left = [
    ...readJson<{ file: string; name: string }[]>('score/suspects.json'),
    ...caseExceptions,
  ]
    .filter((each) => each.file === file)
    .map(({ name }) => name);
  return allSharedCases<T>(file).filter(
    ({ name, level, contested }) =>
      (level === 'must' || level === 'should') && !contested && !left.includes(name),
  );
}

/** All cases of `<file>.json`, whatever their level. */
export function allSharedCases<T extends SharedCase>(file: string): readonly T[] {
  return readJson<{ cases: T[] }>(`${file}.json`).cases;
}

/** Name of a test, with the reason where it is left out. */
export function sharedName(name: string): string {
  return hasSharedCases ? name : `${name} (left out: ../shared/cases is not there)`;
}

/** `text` repeated as the case says. */
export function expandParts(
  parts: readonly { text: string; repeat?: number; counter?: boolean }[],
): string {
  return parts
    .map(({ text, repeat = 1, counter }) =>
      counter
        ? Array.from({ length: repeat }, (_, i) => text.replaceAll('{n}', String(i))).join('')
        : text.repeat(repeat),
    )
    .join('');
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, FOLDER), 'utf8')) as T;
}
