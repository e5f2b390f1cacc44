/** From the schema's issues to problems in the options' own words. */

import type { z } from 'zod';
import { OPTION_CATALOGUE, entryOf, type OptionEntry } from './catalogue.js';
import { describeValue, nearestName, type OptionProblem } from './problems.js';

/** Where values came from, by dotted path: `delayMs` → `environment variable ORBWEAVER_DELAY_MS`. */
export type OptionOrigins = ReadonlyMap<string, string>;

/** Every issue as a problem that names field, source, value and remedy. */
export function optionProblems(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  origins: OptionOrigins,
): OptionProblem[] {
  return issues.flatMap((issue) => toProblems(issue, input, origins));
}

function toProblems(
  issue: z.core.$ZodIssue,
  input: unknown,
  origins: OptionOrigins,
): OptionProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownOption([...issue.path, key], origins));
  }
  const entry = entryOf(issue.path);
  const field = fieldName(issue.path);
  const remedy = entry === undefined ? '' : `; for example ${exampleAt(entry, issue.path)}`;
  const got = describeValue(valueAt(input, issue.path));
  const message = `${field}${origin(issue.path, origins)}: ${issue.message}, got ${got}${remedy}`;
  return [{ field, message, kind: 'invalid' }];
}

/** An example for the place of the problem: the whole list, or one item of it. */
function exampleAt(entry: OptionEntry, path: readonly PropertyKey[]): string {
  if (entry.kind !== 'list') return entry.example;
  const [first = ''] = entry.example.split(' or ');
  return path.length === 1 ? `[${first}]` : entry.example;
}

function unknownOption(path: readonly PropertyKey[], origins: OptionOrigins): OptionProblem {
  const field = fieldName(path);
  const entry = entryOf(path);
  const near = nearestOption(field);
  let told = 'expected the name of an option; ';
  // Known, and yet refused: only the schema of adjustments leaves options out.
  if (entry !== undefined && path.length === 1) {
    told = 'expected an option that may change, this one is fixed once a crawl has started; ';
    told += 'start a new crawl with it';
  } else told += near === undefined ? 'docs/options.md lists all of them' : `did you mean ${near}?`;
  const message = `${field}${origin(path, origins)}: ${told}`;
  return { field, message, kind: 'unknown' };
}

/** Also people who write a flag's name for an option find it: `limit` → maxPages. */
function nearestOption(name: string): string | undefined {
  const names = new Map(
    OPTION_CATALOGUE.flatMap(({ path, flag: long }) => [
      [long.slice(2), path],
      [path, path],
    ]),
  );
  return names.get(nearestName(name, [...names.keys()]) ?? '');
}

function origin(path: readonly PropertyKey[], origins: OptionOrigins): string {
  for (let length = path.length; length > 0; length -= 1) {
    const found = origins.get(path.slice(0, length).map(String).join('.'));
    if (found !== undefined) return ` (from ${found})`;
  }
  return '';
}

function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'options';
  return path
    .map((part, at) =>
      typeof part === 'number' ? `[${String(part)}]` : `${at > 0 ? '.' : ''}${String(part)}`,
    )
    .join('');
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part],
    input,
  );
}
