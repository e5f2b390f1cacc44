import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolders } from '../../src/folders.js';

const dir = mkdtempSync(join(tmpdir(), 'orbweaver-folders-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('makeFolders', () => {
  it('makes what is missing, tells the uppermost, and nothing the second time', () => {
    const path = join(dir, 'a/b/c');
    expect(makeFolders(path)).toBe(join(dir, 'a'));
    expect(existsSync(path)).toBe(true);
    expect(makeFolders(path)).toBeUndefined();
  });

  it('ends where a file system refuses a name whose parent exists', () => {
    if (!existsSync('/proc/self')) return;
    expect(() => makeFolders('/proc/orbweaver/logs')).toThrow('ENOENT');
  });

  it('says that a file is in the way', () => {
    writeFileSync(join(dir, 'file'), '');
    expect(() => makeFolders(join(dir, 'file'))).toThrow('EEXIST');
    expect(() => makeFolders(join(dir, 'file/below'))).toThrow(/EEXIST|ENOTDIR/);
  });
});
