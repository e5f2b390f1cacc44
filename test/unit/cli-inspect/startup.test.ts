import { execFile, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

describe('the process of orbweaver inspect', () => {
  it('loads its parsers, and neither Temporal nor Redis nor the schema of options', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'orbweaver-loaded-'));
    try {
      const args = ['src/cli/main.ts', 'inspect', 'url', 'https://a.test/b/'];
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--import', import.meta.resolve('tsx'), ...args],
        // V8 lists every script that ran.
        { env: { ...process.env, NODE_V8_COVERAGE: dir } },
      );
      expect(stdout).toContain('canonical          https://a.test/b\n');
      const loaded = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
      expect(loaded.join('')).toContain('/src/cli/inspect/inspect-url.ts"');
      const heavy = loaded.join('').match(/\/node_modules\/(?:@temporalio\/\w+|ioredis|zod)\//g);
      expect(heavy).toBeNull();
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it.skipIf(!existsSync('/dev/full')).each([['--json'], ['--stdin']])(
    'says in a line that its output has no room, with exit code 8 (%s)',
    (flag) => {
      const full = openSync('/dev/full', 'w');
      try {
        const args = ['src/cli/main.ts', 'inspect', 'url', flag];
        const { status, stderr } = spawnSync(
          process.execPath,
          ['--import', import.meta.resolve('tsx'), ...args, ...(flag === '--json' ? ['a:b'] : [])],
          { stdio: ['pipe', full, 'pipe'], input: '{"href":"a:b"}\n'.repeat(3), encoding: 'utf8' },
        );
        expect(stderr).toMatch(
          /^stdout: can't be written, ENOSPC.*; make room, or write elsewhere\n$/,
        );
        expect(status).toBe(8);
      } finally {
        closeSync(full);
      }
    },
  );
});
