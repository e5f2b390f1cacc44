import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { codeOf, commandLine, dataDirOf } from '../../../src/cli/context.js';
import { EXIT, exitCodeOf } from '../../../src/cli/exit-codes.js';
import { ConfigError, FrontierError } from '../../../src/errors.js';
import { testContext } from './builders.js';

describe('exit codes', () => {
  it('are all different', () => {
    expect(new Set(Object.values(EXIT)).size).toBe(Object.keys(EXIT).length);
  });

  it.each([
    ['CONFIG_INVALID_OPTION', 2],
    ['CONFIG_UNKNOWN_OPTION', 2],
    ['CONFIG_INVALID_FILE', 2],
    ['URL_INVALID', 2],
    ['CONFIG_SERVER_UNAVAILABLE', 4],
    ['CONFIG_SERVER_UNFIT', 4],
    ['FRONTIER_UNAVAILABLE', 4],
    ['FRONTIER_SEEN_FILTER', 4],
    ['FRONTIER_CRAWL_NOT_FOUND', 5],
    ['FRONTIER_CRAWL_EXISTS', 6],
    ['FRONTIER_CRAWL_STATE', 7],
    ['OUTPUT_READ', 8],
    ['OUTPUT_WRITE', 8],
    ['FETCH_DNS_FAILED', 1],
    [undefined, 1],
  ])('of %s is %i', (code, exit) => {
    expect(exitCodeOf(code)).toBe(exit);
  });
});

describe('CliContext', () => {
  it('says an error of the engine in its own words, without a stack', () => {
    const ctx = testContext();
    ctx.fail(new FrontierError('FRONTIER_CRAWL_NOT_FOUND', 'crawlId: there is no crawl "x"'));
    expect(ctx.err()).toBe('crawlId: there is no crawl "x"\n');
    expect(ctx.exitCode).toBe(5);
  });

  it('says the root of a failure that Temporal wrapped', () => {
    const ctx = testContext();
    const root = ApplicationFailure.create({
      message: 'seeds: none of 1 can be crawled',
      type: 'CONFIG_INVALID_OPTION',
    });
    ctx.fail(new Error('Workflow execution failed', { cause: root }));
    expect(ctx.err()).toBe('seeds: none of 1 can be crawled\n');
    expect(ctx.exitCode).toBe(2);
  });

  it('shows the stack under ORBWEAVER_DEBUG', () => {
    const ctx = testContext({ ORBWEAVER_DEBUG: '1' });
    ctx.fail(new Error('broken'));
    expect(ctx.err()).toMatch(/Error: broken\n\s+at /);
    expect(ctx.exitCode).toBe(1);
  });

  it('makes what an action returns the exit code, and says what it throws', async () => {
    const ctx = testContext();
    await ctx.action(() => Promise.resolve(EXIT.noPage))();
    expect(ctx.exitCode).toBe(3);
    await ctx.action(() => Promise.reject(new ConfigError('CONFIG_INVALID_FILE', 'bad file')))();
    expect([ctx.exitCode, ctx.err()]).toEqual([2, 'bad file\n']);
  });

  it('is no terminal where stderr is none', () => {
    expect(testContext().isTty).toBe(false);
  });
});

describe('commandLine', () => {
  it('can be pasted into a shell, with the data directory that was named', () => {
    expect(commandLine(['resume', 'c1'])).toBe('orbweaver resume c1');
    expect(commandLine(['resume', 'c1'], "my dir's")).toBe(
      `orbweaver resume c1 --data-dir 'my dir'\\''s'`,
    );
  });
});

describe('dataDirOf', () => {
  const cwd = '/work';
  it.each([
    [undefined, {}, '/work/.orbweaver'],
    [undefined, { ORBWEAVER_DATA_DIR: 'd' }, '/work/d'],
    [undefined, { ORBWEAVER_DATA_DIR: ' ' }, '/work/.orbweaver'],
    ['/x', { ORBWEAVER_DATA_DIR: 'd' }, '/x'],
  ])('of flag %s and environment %o is %s', (flag, env, expected) => {
    expect(dataDirOf({ env, cwd }, flag)).toBe(expected);
  });
});

describe('codeOf', () => {
  it('is undefined for what is no error of the engine', () => {
    expect(codeOf(new Error('x'))).toBeUndefined();
    expect(codeOf('x')).toBeUndefined();
  });
});
