/** docs/output.md describes the fields that a record has. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

function fieldsOf(name: string): string[] {
  const body = read('src/contracts/urls.ts').split(`export interface ${name} `)[1] ?? '';
  return [...body.split('\n}\n')[0]!.matchAll(/^ {2}readonly (\w+)\??:/gm)].map((m) => m[1]!);
}

describe('docs/output.md', () => {
  const document = read('docs/output.md');

  it('has a row for every field of an exported record, and no other', () => {
    const rows = [...document.matchAll(/^\| `(\w+)` /gm)].map((match) => match[1]!);
    expect([...rows].sort()).toEqual([...fieldsOf('PageRecord')].sort());
  });

  it('names the further fields of a stored record', () => {
    const [, tail = ''] = document.split('Records in the segments have more');
    expect(fieldsOf('SinkRecord').filter((field) => !tail.includes(`\`${field}\``))).toEqual([]);
  });
});
