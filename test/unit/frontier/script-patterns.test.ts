/** Patterns of the Lua scripts take linear time: while a script runs, all of Redis waits. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const LUA = new URL('../../../src/frontier/lua/', import.meta.url);
const texts = readdirSync(LUA, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.lua'))
  .map((name) => readFileSync(new URL(name, LUA), 'utf8'));
const patterns = texts.flatMap((text) =>
  [...text.matchAll(/string\.(?:match|find|gmatch|gsub)\([^,]+,\s*'([^']*)'/g)].map(
    ([, pattern]) => pattern!,
  ),
);

describe('patterns of the Lua scripts', () => {
  it('that look for an end are tried at the start alone, not at every place', () => {
    expect(patterns.length).toBeGreaterThan(10);
    const roaming = patterns.filter((pattern) => pattern.endsWith('$') && !pattern.startsWith('^'));
    expect(roaming).toEqual([]);
  });
});
