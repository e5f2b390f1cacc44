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

  it('leaves nothing behind where it may write', async () => {
    expect(await probeOutputFolder(join(folder, 'deep', 'out'))).toBeGreaterThan(0);
    await probeOutputFolder(folder);
    expect(existsSync(folder)).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
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
