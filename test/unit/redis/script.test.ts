import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadScript } from '../../../src/redis/script.js';

describe('loadScript', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'orbweaver-lua-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));
  const write = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };

  it('puts included files in place of their lines, each once', () => {
    write('a.lua', '--- @include "b.lua"\nlocal a = 1\n');
    write('b.lua', 'local b = 2\n');
    const main = write('main.lua', '#!lua\n--- @include "a.lua"\n--- @include "b.lua"\nreturn a\n');
    expect(loadScript(main).source).toBe('#!lua\nlocal b = 2\nlocal a = 1\nreturn a\n');
  });

  it('names its hash as Redis does', () => {
    const { sha, source } = loadScript(write('one.lua', 'return 1'));
    expect([source, sha]).toEqual(['return 1', 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db']);
  });

  it('names the chain of includes that leads to a missing file', () => {
    write('a.lua', '--- @include "gone.lua"\n');
    const main = write('main.lua', '--- @include "a.lua"\n');
    expect(() => loadScript(main)).toThrow(/not readable: .*main\.lua -> .*a\.lua -> .*gone\.lua/);
  });

  it('names a cycle', () => {
    write('a.lua', '--- @include "b.lua"\n');
    write('b.lua', '--- @include "a.lua"\n');
    expect(() => loadScript(join(dir, 'a.lua'))).toThrow(/cycle: .*a\.lua -> .*b\.lua -> .*a\.lua/);
  });
});
