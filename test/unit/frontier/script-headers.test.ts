/** The header of each Lua script says what its body reads: counts of KEYS and ARGV, replies. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCRIPTS } from '../../../src/frontier/scripts.js';

const LUA = fileURLToPath(new URL('../../../src/frontier/lua', import.meta.url));
const scripts = Object.values(SCRIPTS).map((script) => ({
  name: basename(script.file),
  source: script.source,
  body: readFileSync(script.file, 'utf8'),
}));

/** Text of a part of the header, such as `KEYS:`, up to the next part. */
function headerPart(body: string, part: 'KEYS' | 'ARGV'): string {
  const header = body.slice(0, body.search(/^[^#-]/m)).replace(/\n-- +/g, ' ');
  return (
    new RegExp(`${part}: (.*?)(?= (?:KEYS|ARGV|Reply|Complexity): |$)`, 's').exec(header)?.[1] ?? ''
  );
}

/** Numbers by which the header counts: `1 crawl, 2 totals` → [1, 2]. */
function announced(text: string): { count: number; isOpen: boolean } {
  const numbers = [...text.matchAll(/(?:^|[,(] ?)(\d+)(…)? /g)];
  return { count: numbers.length, isOpen: numbers.some((match) => match[2] === '…') };
}

function usedIndices(source: string, table: 'KEYS' | 'ARGV'): number[] {
  const used = [...source.matchAll(new RegExp(`${table}\\[(\\d+)\\]`, 'g'))].map((m) =>
    Number(m[1]),
  );
  return [...new Set(used)].sort((a, b) => a - b);
}

describe('headers of the Lua scripts (F3, F8)', () => {
  it('are checked for every file there is', () => {
    const files = readdirSync(LUA).filter((name) => name.endsWith('.lua'));
    expect(scripts.map((script) => script.name).sort()).toEqual(files.sort());
  });

  it.each(scripts)('$name starts with #!lua, so that a foreign slot is refused', ({ source }) => {
    expect(source.startsWith('#!lua\n')).toBe(true);
  });

  it.each(scripts)('$name announces exactly the KEYS that it uses', ({ body, source }) => {
    const { count } = announced(headerPart(body, 'KEYS'));
    expect(usedIndices(source, 'KEYS')).toEqual(
      Array.from({ length: count }, (_unused, n) => n + 1),
    );
  });

  it.each(scripts)('$name announces exactly the ARGV that it uses', ({ name, body, source }) => {
    const text = headerPart(body, 'ARGV');
    const used = usedIndices(source, 'ARGV');
    if (name === 'add-urls.lua') {
      expect(text).toMatch(/per URL 5 values/);
      expect(source).toMatch(/for i = 3, #ARGV, 5 do/);
      return;
    }
    const { count, isOpen } = announced(text);
    const fixed = isOpen ? count - 1 : count;
    expect(used).toEqual(Array.from({ length: fixed }, (_unused, n) => n + 1));
    if (isOpen) expect(source).toContain(`for n = ${count}, #ARGV do`);
  });

  it.each(scripts)('$name states its reply and its complexity', ({ body }) => {
    expect(body).toMatch(/^-- Reply: /m);
    expect(body).toMatch(/^-- Complexity: /m);
  });

  it.each(scripts)('$name replies with no status that its header does not name', ({ body }) => {
    const header = body.slice(0, body.indexOf('--- @include'));
    if (/see the parser in scripts.ts/.test(header)) return;
    const statuses = [...body.matchAll(/return (?:\{ )?'([a-z_]+)'/g)].map((match) => match[1]!);
    for (const status of statuses) expect(header).toContain(`'${status}'`);
  });

  it.each(scripts)('$name is at most 200 lines', ({ body }) => {
    expect(body.split('\n').length).toBeLessThanOrEqual(200);
  });

  it('every library is included by some script', () => {
    for (const file of readdirSync(join(LUA, 'lib'))) {
      expect(
        scripts.some((script) => script.body.includes(`--- @include "lib/${file}"`)),
        file,
      ).toBe(true);
    }
  });
});
