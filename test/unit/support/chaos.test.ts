import { describe, expect, it } from 'vitest';
import {
  isAlive,
  killGroup,
  killTree,
  randomMoments,
  spawnCli,
  waitFor,
} from '../../support/chaos.js';
import type { CliProcess } from '../../support/chaos.js';

const node = (script: string, extra: Parameters<typeof spawnCli>[1] = {}): CliProcess =>
  spawnCli(['-e', script], { command: [process.execPath], ...extra });

/** Starts a child that outlives signals to its parent; prints both ids. */
const FAMILY = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { detached: DETACHED });
  console.log(child.pid);
  setInterval(() => {}, 1e6);
`;
const childOf = (family: CliProcess): Promise<number> =>
  waitFor(() => Number(family.output().stdout) || null, { what: 'the child starts' });

describe('random moments', () => {
  const options = { seed: 3, count: 50, minMs: 100, maxMs: 200 };

  it('are the same for a seed and lie in their range', () => {
    const moments = randomMoments(options);
    expect(moments).toEqual(randomMoments(options));
    expect(moments).not.toEqual(randomMoments({ ...options, seed: 4 }));
    expect(Math.min(...moments)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...moments)).toBeLessThanOrEqual(200);
  });

  it('refuse a range that is none', () => {
    expect(() => randomMoments({ ...options, maxMs: 50 })).toThrow('minMs, maxMs: 100, 50');
  });
});

describe('waiting', () => {
  it('ends with what the condition returns, errors on the way forgiven', async () => {
    let asked = 0;
    const value = await waitFor(
      () => {
        asked += 1;
        if (asked === 1) throw new Error('not up');
        return asked === 3 && 'there';
      },
      { what: 'the third time', everyMs: 1 },
    );
    expect(value).toBe('there');
  });

  it('fails with what it waited for and the last answer', async () => {
    const fail = (): never => {
      throw new Error('connection refused');
    };
    await expect(
      waitFor(fail, { what: 'Redis answers', timeoutMs: 5, everyMs: 1 }),
    ).rejects.toThrow('waited 5 ms in vain: Redis answers (last: connection refused)');
  });
});

describe('processes', () => {
  it('run with their arguments, environment and folder, and tell how they ended', async () => {
    const script = `
      process.stdout.write([process.env.GREETING, process.env.HOME, process.cwd()].join());
      process.stderr.write('bye');
      process.exitCode = 7;`;
    const child = node(script, { cwd: '/tmp', env: { GREETING: 'hello', HOME: undefined } });
    expect(await child.ended).toEqual({
      code: 7,
      signal: null,
      stdout: 'hello,,/tmp',
      stderr: 'bye',
    });
  });

  it('deliver all their output', async () => {
    const { stdout } = await node(`process.stdout.write('x'.repeat(3_000_000))`).ended;
    expect(stdout).toHaveLength(3_000_000);
  });

  it('die with their whole group', async () => {
    const family = node(FAMILY.replace('DETACHED', 'false'));
    const child = await childOf(family);
    expect(family.kill()).toBe(true);
    expect((await family.ended).signal).toBe('SIGKILL');
    await waitFor(() => !isAlive(child), { what: 'the child is gone' });
  });

  it('die with their descendants in other groups', async () => {
    const family = node(FAMILY.replace('DETACHED', 'true'));
    const child = await childOf(family);
    expect(killTree(family.pid)).toEqual([family.pid, child]);
    await family.ended;
    await waitFor(() => !isAlive(child), { what: 'the child is gone' });
  });

  it('are told politely when the signal is polite', async () => {
    const script = `process.on('SIGTERM', () => process.exit(3)); console.log(1); setInterval(() => {}, 1e6)`;
    const child = node(script);
    await waitFor(() => child.output().stdout !== '', { what: 'it listens to signals' });
    killTree(child.pid, 'SIGTERM');
    expect((await child.ended).code).toBe(3);
  });

  it('can not be all processes', () => {
    expect(() => killGroup(1)).toThrow('groupId: 1');
    expect(() => killTree(process.pid)).toThrow('is not one to kill');
  });

  it('that can not start are named', () => {
    expect(() => spawnCli([], { command: ['/no/such/program'] })).toThrow('"/no/such/program"');
  });
});
