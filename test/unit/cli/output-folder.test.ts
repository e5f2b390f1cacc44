import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeOutputFolder } from '../../../src/cli/output-folder.js';

describe('probeOutputFolder', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'orbweaver-out-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('makes the folder and leaves nothing in it; a look leaves nothing at all', async () => {
    const path = join(folder, 'deep', 'out');
    expect(await probeOutputFolder(path, { isLookOnly: true })).toBeGreaterThan(0);
    expect(readdirSync(folder)).toEqual([]);
    await probeOutputFolder(path);
    await probeOutputFolder(path, { isLookOnly: true });
    expect(existsSync(path)).toBe(true);
    expect(readdirSync(path)).toEqual([]);
  });

  it('names the folder that can not be written, and the flag', async () => {
    const path = join(folder, 'a-file', 'out');
    writeFileSync(join(folder, 'a-file'), '');
    await expect(probeOutputFolder(path)).rejects.toMatchObject({
      code: 'OUTPUT_WRITE',
      message: expect.stringMatching(/^out: .*a-file\/out can't be written .*--out/) as string,
    });
  });
});
