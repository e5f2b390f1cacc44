import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { takeKeeperLock } from '../../../src/servers/keeper-lock.js';
import { identifyProcess } from '../../../src/servers/process-identity.js';

function lockInProcess(root: string): Promise<string> {
  const script = fileURLToPath(new URL('./lock-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return text(child.stdout);
}

describe('keeper lock', () => {
  it('many processes take it one after another, each from a holder that was killed', async () => {
    const root = mkdtempSync(join(tmpdir(), 'orbweaver-lock-'));
    writeFileSync(join(root, 'keeper-3.lock'), JSON.stringify({ pid: 1, startedAt: 'long ago' }));
    const said = await Promise.all(Array.from({ length: 12 }, () => lockInProcess(root)));
    expect(said).toEqual(new Array(12).fill('alone\n'));
    expect(readdirSync(root).filter((name) => name.endsWith('.lock'))).toEqual(['keeper-15.lock']);
    rmSync(root, { recursive: true });
  });

  it('names the living holder, and lets the holder take it twice', () => {
    const root = mkdtempSync(join(tmpdir(), 'orbweaver-lock-'));
    const parent = identifyProcess(process.ppid);
    writeFileSync(join(root, 'keeper-1.lock'), JSON.stringify(parent));
    expect(takeKeeperLock(root)).toEqual(parent);
    rmSync(join(root, 'keeper-1.lock'));
    expect(takeKeeperLock(root)).toBeUndefined();
    expect(takeKeeperLock(root)).toBeUndefined();
    rmSync(root, { recursive: true });
  });
});
