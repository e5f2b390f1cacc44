import { Command } from 'commander';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawlNotices, gatherCrawlOptions } from '../../../src/cli/crawl-options.js';
import { addOptionFlags, FLAG_HELP, optionsOfFlags } from '../../../src/cli/option-flags.js';
import { OPTION_CATALOGUE } from '../../../src/config/catalogue.js';
import { resolveAdjustments } from '../../../src/config/resolve.js';

function parse(args: readonly string[], which: 'all' | 'adjustable' = 'all') {
  const command = addOptionFlags(new Command().exitOverride(), which).allowExcessArguments();
  command.configureOutput({ writeErr: () => undefined });
  command.parse([...args], { from: 'user' });
  return Object.fromEntries(optionsOfFlags(command.opts()).values);
}

describe('flags of options', () => {
  it('have a line of help each, and no other option has', () => {
    const paths = OPTION_CATALOGUE.map(({ path }) => path).filter((path) => path !== 'seeds');
    expect(Object.keys(FLAG_HELP)).toEqual(paths);
  });

  it('give nothing that was not said', () => {
    expect(parse([])).toEqual({});
  });

  it('read text by the kind of the option', () => {
    expect(
      parse(['--limit', '50', '--depth', 'none', '--delay', '2s', '--turn-max-pages', '7']),
    ).toEqual({ maxPages: 50, maxDepth: null, delayMs: '2s', 'turn.maxPages': 7 });
  });

  it('collect lists, and switch both ways', () => {
    expect(parse(['--include', 'a*', '--include', 'b*', '--no-sitemaps', '--cookies'])).toEqual({
      include: ['a*', 'b*'],
      sitemaps: false,
      cookies: true,
    });
    expect(parse(['--no-allow-private'])).toEqual({ allowPrivate: false });
  });

  it('of resume are those that may change; of the others the schema says why not', () => {
    expect(parse(['--limit', '5'], 'adjustable')).toEqual({ maxPages: 5 });
    const help = addOptionFlags(new Command(), 'adjustable').helpInformation();
    expect(help).toContain('--limit');
    expect(help).not.toContain('--scope');
    const given = parse(['--scope', 'any'], 'adjustable');
    expect(() => resolveAdjustments(given)).toThrow(/^scope: .*fixed once a crawl has started/);
  });
});

describe('gatherCrawlOptions', () => {
  let cwd = '';
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), 'orbweaver-options-'));
    const options = { seeds: ['https://file.example/'], maxPages: 1, delayMs: 5000, out: 'data' };
    writeFileSync(join(cwd, 'orbweaver.config.json'), JSON.stringify(options));
  });
  afterAll(() => rmSync(cwd, { recursive: true }));

  const gather = (
    given: Partial<Parameters<typeof gatherCrawlOptions>[1]>,
    env: Record<string, string> = {},
  ) => gatherCrawlOptions({ env, cwd }, { seeds: [], values: {}, ...given });

  it('lets flags win over the environment, and that over the config file', async () => {
    const { seeds, settings, options } = await gather(
      { seeds: ['https://arg.example/'], values: { limit: '3' } },
      { ORBWEAVER_MAX_PAGES: '2', ORBWEAVER_DELAY_MS: '10' },
    );
    expect(seeds).toEqual(['https://arg.example/']);
    expect([settings.maxPages, settings.delayMs]).toEqual([3, 10]);
    expect(settings.out).toBe(join(cwd, 'data'));
    expect(options).toEqual({ maxPages: 3, delayMs: '10', out: join(cwd, 'data') });
  });

  it('takes the seeds of the config file only where none are named', async () => {
    expect((await gather({})).seeds).toEqual(['https://file.example/']);
    expect((await gather({ seedsFile: 'seeds.txt' })).seeds).toEqual([]);
  });

  it('says all problems at once, each with where it came from', async () => {
    const refused = gather(
      { seeds: ['nonsense'], values: { limit: '-1' } },
      { ORBWEAVER_SCOPE: 'x' },
    );
    await expect(refused).rejects.toThrow(
      /3 options are refused:[\s\S]*maxPages \(from --limit\)[\s\S]*seeds\[0\] \(from command line\)[\s\S]*ORBWEAVER_SCOPE/,
    );
  });

  it('notices a user agent without contact and ignored robots rules', async () => {
    const values = { userAgent: 'bot/1 (+https://example.com/bot)' };
    expect(crawlNotices((await gather({ values })).settings)).toEqual([]);
    const told = crawlNotices((await gather({ values: { robots: 'ignore' } })).settings);
    expect(told).toEqual([
      expect.stringContaining('names no contact'),
      expect.stringContaining('--robots ignore'),
    ]);
  });
});
