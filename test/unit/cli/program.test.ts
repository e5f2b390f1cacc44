import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { refuseDeleted } from '../../../src/cli/crawl-run.js';
import { takeInterrupts } from '../../../src/cli/interrupts.js';
import { runProgram } from '../../../src/cli/program.js';
import { requireAskedPorts } from '../../../src/cli/commands/dev.js';
import { slotsArgument } from '../../../src/cli/commands/worker.js';
import { HostWindow } from '../../../src/cli/watch-crawl.js';
import { FrontierError } from '../../../src/errors.js';
import { host, status, testContext } from './builders.js';

/** Modules that load with a file: imports that are neither types nor made later. */
function loadedWith(file: URL, seen = new Map<string, Set<string>>()): Map<string, Set<string>> {
  if (seen.has(file.href)) return seen;
  const packages = new Set<string>();
  seen.set(file.href, packages);
  const text = readFileSync(file, 'utf8');
  for (const [, names, from = ''] of text.matchAll(
    /^(?:import|export) (?!type )([^;]*?)from '([^']+)'/gms,
  )) {
    const isOnlyTypes = /^\{(\s*type \w+,?)*\s*\}\s*$/.test(names ?? '');
    if (isOnlyTypes) continue;
    if (!from.startsWith('.')) packages.add(from);
    else loadedWith(new URL(from.replace(/\.js$/, '.ts'), file), seen);
  }
  return seen;
}

describe('the program', () => {
  it.each([
    [['--version'], 0],
    [['--help'], 0],
    [['crawl', '--help'], 0],
    [['nonsense'], 2],
    [['crawl', '--nonsense'], 2],
    [['resume'], 2],
    [['resume', 'not an id'], 2],
    [['worker', '--role', 'x'], 2],
    [['worker', '--slots', '0'], 2],
    [['worker', '--task-queue', ''], 2],
    [['dev', '--ui-port', '70000'], 2],
    [['crawl'], 2],
    [['crawl', 'ftp://example.com/'], 2],
  ])('answers %o with exit code %i', async (args, code) => {
    const ctx = testContext();
    await runProgram(ctx, args);
    expect(ctx.exitCode).toBe(code);
    expect(`${ctx.out()}${ctx.err()}`).not.toBe('');
    if (code === 2) expect(ctx.out()).toBe('');
  });

  it('loads neither Temporal nor Redis nor the schema before a command runs', () => {
    const entry = new URL('../../../src/cli/program.ts', import.meta.url);
    const packages = [...loadedWith(entry).values()].flatMap((names) => [...names]);
    expect(packages).toContain('commander');
    const heavy = packages.filter((name) => /^(@temporalio|ioredis|undici|zod|tldts)/.test(name));
    expect(heavy).toEqual([]);
  });
});

describe('interrupts', () => {
  it('end at once before they are armed, in order the first time, at once the second', () => {
    const exit = vi.fn();
    const lastAct = vi.fn();
    const interrupts = takeInterrupts(exit);
    try {
      interrupts.onAbruptEnd(lastAct);
      process.emit('SIGINT');
      expect(exit).toHaveBeenLastCalledWith(130);
      interrupts.arm();
      process.emit('SIGTERM');
      expect(exit).toHaveBeenCalledTimes(1);
      expect([interrupts.signal.aborted, interrupts.code()]).toEqual([true, 143]);
      process.emit('SIGINT');
      expect(exit).toHaveBeenCalledTimes(2);
      expect(lastAct).toHaveBeenCalledTimes(2);
    } finally {
      interrupts.dispose();
    }
  });
});

describe('dev', () => {
  it('refuses another port than that of servers that run already', () => {
    const servers = {
      temporalAddress: '127.0.0.1:7233',
      namespace: 'default',
      uiUrl: 'http://127.0.0.1:8233',
      redisUrl: 'redis://127.0.0.1:6379',
    } as const;
    requireAskedPorts({}, servers);
    requireAskedPorts({ temporalPort: 7233, uiPort: 8233, redisPort: 6379 }, servers);
    expect(() => requireAskedPorts({ redisPort: 6380 }, servers)).toThrow(
      /^--redis-port: .*redis:\/\/127\.0\.0\.1:6379.*got 6380/,
    );
  });
});

describe('worker', () => {
  it('takes slots that are whole numbers', () => {
    expect(slotsArgument('20')).toBe(20);
    for (const value of ['0', '1.5', 'x', '10001']) {
      expect(() => slotsArgument(value)).toThrow(/--slots: expected a whole number/);
    }
  });
});

describe('a crawl that ended from outside', () => {
  it('is said to be deleted where it is gone, and nothing is said where it is not', async () => {
    const gone = new FrontierError('FRONTIER_CRAWL_NOT_FOUND', 'no such crawl');
    await refuseDeleted({ status: () => Promise.resolve(status()) }, 'c1');
    await expect(refuseDeleted({ status: () => Promise.reject(gone) }, 'c1')).rejects.toMatchObject(
      {
        code: 'FRONTIER_CRAWL_NOT_FOUND',
        message: 'crawl "c1" was deleted while it ran here',
      },
    );
    const away = new FrontierError('FRONTIER_UNAVAILABLE', 'Redis is away');
    await expect(refuseDeleted({ status: () => Promise.reject(away) }, 'c1')).rejects.toBe(away);
  });
});

describe('HostWindow', () => {
  it('reads a large crawl a page at a time and forgets hosts that are done', async () => {
    const all = Array.from({ length: 700 }, (_, n) =>
      host(`h${String(n).padStart(4, '0')}.example`, { queued: 1 }),
    );
    const frontier = {
      hosts: ({ after = '', limit }: { after?: string; limit: number }) =>
        Promise.resolve(all.filter(({ hostKey }) => hostKey > after).slice(0, limit)),
    };
    const window = new HostWindow();
    expect(await window.look(frontier)).toHaveLength(500);
    expect(await window.look(frontier)).toHaveLength(700);
    all[0] = host('h0000.example', { state: 'idle' });
    expect(await window.look(frontier)).toHaveLength(699);
  });
});
