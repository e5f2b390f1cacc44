/** Flags, environment, config file: each read, and all made one. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { optionsFromEnvironment } from '../../../src/config/env.js';
import { optionsFromFile } from '../../../src/config/file.js';
import { mergeOptions, optionsFromFlags, optionsFromObject } from '../../../src/config/merge.js';
import { resolveCrawlOptions } from '../../../src/config/resolve.js';

const SEEDS = ['https://example.com/'];

describe('optionsFromEnvironment', () => {
  it('reads each kind of option', () => {
    const env = optionsFromEnvironment({
      ORBWEAVER_SEEDS: 'https://a.example/ https://b.example/\n',
      ORBWEAVER_MAX_PAGES: 'none',
      ORBWEAVER_DELAY_MS: '2s',
      ORBWEAVER_RETRIES: '5',
      ORBWEAVER_BLOOM_ERROR_RATE: '1e-4',
      ORBWEAVER_SITEMAPS: 'off',
      ORBWEAVER_MAX_BYTES: '1MiB',
      ORBWEAVER_TURN_MAX_PAGES: '7',
      ORBWEAVER_INCLUDE: '*/a/* /b$/i',
    });
    const { input } = mergeOptions({ env });
    const { seeds, settings } = resolveCrawlOptions(input);
    expect(seeds).toEqual(['https://a.example/', 'https://b.example/']);
    expect(settings).toMatchObject({
      maxPages: null,
      delayMs: 2000,
      retries: 5,
      bloomErrorRate: 1e-4,
      sitemaps: false,
      maxBytes: 1_048_576,
      turn: { maxPages: 7, maxMs: 10_000, maxPerSecond: 50 },
      include: ['*/a/*', '/b$/i'],
    });
  });

  it('takes an empty variable for one that is not set, and looks at no others', () => {
    const env = optionsFromEnvironment({
      ORBWEAVER_DELAY_MS: '',
      ORBWEAVER_DATA_DIR: '/data',
      REDIS_URL: 'redis://localhost',
      TEMPORAL_ADDRESS: 'localhost:7233',
    });
    expect([...env.values]).toEqual([]);
  });

  it('refuses all unknown variables at once, with a hint', () => {
    const read = () => optionsFromEnvironment({ ORBWEAVER_DELAY: '1', ORBWEAVER_DATADIR: 'x' });
    expect(read).toThrow(expect.objectContaining({ code: 'CONFIG_UNKNOWN_OPTION' }));
    expect(read).toThrow(/ORBWEAVER_DELAY: .*did you mean ORBWEAVER_DELAY_MS\?/);
    expect(read).toThrow(/ORBWEAVER_DATADIR: .*did you mean ORBWEAVER_DATA_DIR\?/);
    expect(() => optionsFromEnvironment({ ORBWEAVER_LIMIT: '5' })).toThrow(
      /ORBWEAVER_LIMIT: .*did you mean ORBWEAVER_MAX_PAGES\?/,
    );
  });
});

describe('mergeOptions', () => {
  const file = optionsFromObject(
    { retries: 1, concurrency: 1, delayMs: 1, turn: { maxPages: 3, maxMs: '1s' }, include: ['*a'] },
    'orbweaver.config.json',
  );
  const env = optionsFromEnvironment({
    ORBWEAVER_CONCURRENCY: '2',
    ORBWEAVER_DELAY_MS: '2',
    ORBWEAVER_TURN_MAX_MS: '2s',
    ORBWEAVER_INCLUDE: '*b',
  });
  const flags = optionsFromFlags({
    seeds: SEEDS,
    delayMs: '3',
    maxPages: 'none',
    scope: undefined,
  });

  it('prefers flags to environment to file to defaults', () => {
    const { settings } = resolveCrawlOptions(mergeOptions({ flags, env, file }).input);
    expect(settings).toMatchObject({
      retries: 1,
      concurrency: 2,
      delayMs: 3,
      maxPages: null,
      include: ['*b'],
      turn: { maxPages: 3, maxMs: 2000, maxPerSecond: 50 },
      scope: 'domain',
    });
  });

  it('tells for every error where the value came from', () => {
    const { input, origins } = mergeOptions({
      flags: optionsFromFlags({ seeds: ['nonsense'], maxPages: 'many' }),
      env: optionsFromEnvironment({ ORBWEAVER_RETRIES: 'x', ORBWEAVER_TURN_MAX_MS: 'y' }),
      file: optionsFromObject({ scope: 'all', bogus: 1, retries: 'z' }, 'conf/crawl.yaml'),
    });
    const resolve = () => resolveCrawlOptions(input, origins);
    expect(resolve).toThrow(/seeds\[0\] \(from command line\): /);
    expect(resolve).toThrow(/maxPages \(from --limit\): .*got "many"/);
    expect(resolve).toThrow(/retries \(from environment variable ORBWEAVER_RETRIES\): .*got "x"/);
    expect(resolve).toThrow(/turn\.maxMs \(from environment variable ORBWEAVER_TURN_MAX_MS\)/);
    expect(resolve).toThrow(/scope \(from conf\/crawl\.yaml\): /);
    expect(resolve).toThrow(/bogus \(from conf\/crawl\.yaml\): expected the name of an option/);
  });
});

describe('optionsFromFile', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'orbweaver-config-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it.each([
    ['orbweaver.config.json', '{"delayMs": "2s", "turn": {"maxPages": 4}}'],
    ['orbweaver.config.yaml', 'delayMs: 2s\nturn: { maxPages: 4 }\n'],
    ['orbweaver.config.yml', 'delayMs: 2s\nturn:\n  maxPages: 4\n'],
    ['.orbweaverrc', 'delayMs: 2s\nturn: { maxPages: 4 }\n'],
    ['.orbweaverrc', '\uFEFF{"delayMs": "2s", "turn": {"maxPages": 4}}'],
    ['package.json', '{"name": "x", "orbweaver": {"delayMs": "2s", "turn": {"maxPages": 4}}}'],
  ])('finds %s in the folder and above', async (name, content) => {
    await writeFile(join(dir, name), content);
    const below = join(dir, 'a', 'b');
    await mkdir(below, { recursive: true });
    for (const cwd of [dir, below]) {
      const file = await optionsFromFile({ cwd });
      expect(file?.path).toBe(join(dir, name));
      expect(Object.fromEntries(file?.values ?? [])).toEqual({ delayMs: '2s', 'turn.maxPages': 4 });
    }
  });

  it('finds nothing where there is nothing, also past the package.json of others', async () => {
    await writeFile(join(dir, 'package.json'), '{ broken');
    expect(await optionsFromFile({ cwd: dir })).toBeUndefined();
  });

  it('reads an explicit file of any name and takes an empty one for no options', async () => {
    await writeFile(join(dir, 'crawl.yaml'), 'retries: 7\n');
    await writeFile(join(dir, 'empty.json'), '');
    const file = await optionsFromFile({ cwd: dir, path: 'crawl.yaml' });
    expect(file?.values.get('retries')).toBe(7);
    expect(file?.originOf('retries')).toBe('crawl.yaml');
    expect((await optionsFromFile({ cwd: dir, path: 'empty.json' }))?.values.size).toBe(0);
  });

  it.each([
    ['missing.json', undefined, /missing\.json: .*ENOENT/],
    ['bad.json', '{"a": }', /bad\.json: expected a readable JSON or YAML file/],
    ['bad.yaml', 'a: [1,\nb: 2', /bad\.yaml: expected a readable/],
    ['twice.yaml', 'a: 1\na: 2', /twice\.yaml: .*unique/],
    ['list.yaml', '- a\n- b', /list\.yaml: expected an object with options, got a list/],
    ['options.toml', 'a = 1', /options\.toml: expected a readable JSON or YAML file/],
  ])('refuses %s', async (name, content, message) => {
    if (content !== undefined) await writeFile(join(dir, name), content);
    await expect(optionsFromFile({ cwd: dir, path: name })).rejects.toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID_FILE',
        message: expect.stringMatching(message),
      }),
    );
  });

  it('names a found file that is broken', async () => {
    await writeFile(join(dir, '.orbweaverrc'), '{');
    await expect(optionsFromFile({ cwd: dir })).rejects.toThrow(/\.orbweaverrc: /);
  });
});
