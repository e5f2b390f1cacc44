import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  provisionRedis,
  provisionTemporal,
  provisionTimeSkippingServer,
} from '../../../src/servers/provision.js';
import { defaultCacheDir } from '../../../src/servers/executable-cache.js';
import { isExecutableFile, runCommand } from '../../../src/servers/run-command.js';

const dirs: string[] = [];

function freshDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-cache-'));
  dirs.push(dir);
  return dir;
}

afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** The user's environment without executables that were named by hand. */
function plainEnv(changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const env = { ...process.env, ...changes };
  for (const name of ['TEMPORAL_BIN', 'REDIS_BIN', 'REDIS_MODULES']) {
    if (!(`ORBWEAVER_${name}` in changes)) delete env[`ORBWEAVER_${name}`];
  }
  return env;
}

/** A PATH with Python on it and no server. */
function pythonOnlyPath(): string {
  return (process.env['PATH'] ?? '')
    .split(':')
    .filter((dir) =>
      ['redis-server', 'redis-stack-server', 'temporal'].every(
        (name) => !isExecutableFile(join(dir, name)),
      ),
    )
    .join(':');
}

describe('provisioning into an empty cache', () => {
  it('downloads a Redis with Bloom and a Temporal, says so, and needs nothing the next time', async () => {
    const cacheDir = freshDir();
    const env = plainEnv({ PATH: pythonOnlyPath() });
    const lines: string[] = [];
    const input = { cacheDir, env, report: (line: string) => lines.push(line) };
    const [redis, temporal] = await Promise.all([provisionRedis(input), provisionTemporal(input)]);
    expect(redis.path.startsWith(cacheDir)).toBe(true);
    expect((await runCommand([temporal.path, '--version'])).output).toContain('Server');
    expect(lines.filter((line) => line.startsWith('Temporal: downloading'))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('Redis: downloading'))).toHaveLength(2);

    // No Python any more, so a second download could not succeed.
    const warm = { ...input, env: plainEnv({ PATH: '/nowhere' }) };
    lines.length = 0;
    expect(await provisionRedis(warm)).toEqual(redis);
    expect(await provisionTemporal(warm)).toEqual(temporal);
    expect(lines).toEqual([]);
  });

  it('two at once end with one whole entry and no scratch directory', async () => {
    const cacheDir = freshDir();
    const [first, second] = await Promise.all([
      provisionTimeSkippingServer({ cacheDir }),
      provisionTimeSkippingServer({ cacheDir }),
    ]);
    expect(second).toBe(first);
    expect(isExecutableFile(first)).toBe(true);
    expect(readdirSync(cacheDir)).toHaveLength(1);
  });
});

describe('a broken cache', () => {
  const env = plainEnv({ PATH: pythonOnlyPath() });
  let goodEntry: string;

  beforeAll(async () => {
    const { path } = await provisionTemporal({ env, cacheDir: defaultCacheDir() });
    goodEntry = dirname(path);
  });

  function copiedCache(): { cacheDir: string; executable: string } {
    const cacheDir = freshDir();
    const entry = join(cacheDir, goodEntry.slice(goodEntry.lastIndexOf('/') + 1));
    cpSync(goodEntry, entry, { recursive: true, preserveTimestamps: true });
    return { cacheDir, executable: join(entry, 'temporal') };
  }

  it.each<[string, (executable: string) => void]>([
    ['truncated', (file) => writeFileSync(file, readFileSync(file).subarray(0, 1_000_000))],
    ['grown', (file) => appendFileSync(file, 'x')],
    [
      'overwritten by as many bytes',
      (file) => writeFileSync(file, Buffer.alloc(statSync(file).size)),
    ],
    ['missing', (file) => rmSync(file)],
    ['without its manifest', (file) => rmSync(join(dirname(file), 'manifest.json'))],
  ])('with an executable %s heals', async (_how, breakIt) => {
    const { cacheDir, executable } = copiedCache();
    breakIt(executable);
    const { path } = await provisionTemporal({ cacheDir, env });
    expect(path).toBe(executable);
    expect((await runCommand([path, '--version'])).output).toContain('Server');
    expect(readdirSync(cacheDir)).toHaveLength(1);
  });

  it('whose files only have new times is taken as it is', async () => {
    const { cacheDir, executable } = copiedCache();
    utimesSync(executable, new Date(), new Date());
    const offline = plainEnv({ PATH: '/nowhere' });
    expect((await provisionTemporal({ cacheDir, env: offline })).path).toBe(executable);
  });
});

describe('what is found before anything is downloaded', () => {
  const { path: redisPath, modules } = inject('redisExecutable');

  it('an executable that the environment names, with its modules', async () => {
    const env = plainEnv({
      ORBWEAVER_REDIS_BIN: redisPath,
      ORBWEAVER_REDIS_MODULES: modules.join(':'),
      ORBWEAVER_TEMPORAL_BIN: inject('temporalExecutable'),
    });
    const cacheDir = freshDir();
    expect(await provisionRedis({ env, cacheDir })).toEqual({ path: redisPath, modules });
    expect(await provisionTemporal({ env, cacheDir })).toEqual({
      path: inject('temporalExecutable'),
    });
    expect(readdirSync(cacheDir)).toEqual([]);
  });

  it('a temporal on PATH', async () => {
    const dir = dirname(inject('temporalExecutable'));
    const env = plainEnv({ PATH: dir });
    const { path } = await provisionTemporal({ env, cacheDir: freshDir() });
    expect(path).toBe(join(dir, 'temporal'));
  });

  it.runIf(modules.length > 0)(
    'a redis-server on PATH without BF.* is not taken as it is',
    async () => {
      const env = plainEnv({ PATH: `${dirname(redisPath)}:${pythonOnlyPath()}` });
      const found = await provisionRedis({ env, cacheDir: defaultCacheDir() });
      expect(found.modules).toHaveLength(1);
    },
  );

  it('a redis-stack-server on PATH, by what its script wraps', async () => {
    const root = freshDir();
    mkdirSync(join(root, 'bin'));
    mkdirSync(join(root, 'lib'));
    writeFileSync(join(root, 'bin', 'redis-stack-server'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    cpSync(redisPath, join(root, 'bin', 'redis-server'));
    for (const module of modules) cpSync(module, join(root, 'lib', 'redisbloom.so'));
    // Only the stack's command is linked into PATH, as its packages do it.
    const path = join(root, 'path');
    mkdirSync(path);
    symlinkSync(join(root, 'bin', 'redis-stack-server'), join(path, 'redis-stack-server'));
    const env = plainEnv({ PATH: path });
    const found = await provisionRedis({ env, cacheDir: freshDir() });
    expect(found.path).toBe(join(root, 'bin', 'redis-server'));
  });
});

describe('where nothing works', () => {
  it('without Python the error says what was tried and what to install', async () => {
    const input = { cacheDir: freshDir(), env: plainEnv({ PATH: '/nowhere' }) };
    await expect(provisionRedis(input)).rejects.toMatchObject({
      code: 'CONFIG_SERVER_UNAVAILABLE',
      message: expect.stringMatching(
        /redis-server: not on PATH[^]*python3 is not on PATH[^]*Install Redis 8 or later/,
      ),
    });
    await expect(provisionTemporal(input)).rejects.toMatchObject({
      code: 'CONFIG_SERVER_UNAVAILABLE',
      message: expect.stringMatching(
        /temporal: not on PATH[^]*python3 is not on PATH[^]*Install the Temporal CLI/,
      ),
    });
  });

  it('an index that does not answer ends in the words of pip', async () => {
    const unreachable = { PIP_INDEX_URL: 'http://127.0.0.1:1/simple', PIP_RETRIES: '0' };
    const env = plainEnv({ PATH: pythonOnlyPath(), ...unreachable });
    await expect(provisionTemporal({ cacheDir: freshDir(), env })).rejects.toMatchObject({
      message: expect.stringMatching(/download temporal-bin==[^]*No matching distribution/),
    });
  });

  it('a cache that can not be written is named', async () => {
    const input = { cacheDir: '/dev/null/cache', env: plainEnv({ PATH: pythonOnlyPath() }) };
    await expect(provisionTemporal(input)).rejects.toThrow('/dev/null/cache');
  });

  it('an executable that the environment names and that does not fit is refused by name', async () => {
    const cacheDir = freshDir();
    const wrong = plainEnv({
      ORBWEAVER_TEMPORAL_BIN: '/bin/true',
      ORBWEAVER_REDIS_BIN: '/bin/true',
    });
    await expect(provisionTemporal({ cacheDir, env: wrong })).rejects.toThrow(
      /ORBWEAVER_TEMPORAL_BIN=\/bin\/true can't be used/,
    );
    await expect(provisionRedis({ cacheDir, env: wrong })).rejects.toThrow(
      /ORBWEAVER_REDIS_BIN=\/bin\/true can't be used/,
    );
    const absent = plainEnv({ ORBWEAVER_TEMPORAL_BIN: '/nowhere/temporal' });
    await expect(provisionTemporal({ cacheDir, env: absent })).rejects.toThrow(/not found/);
  });
});
