import { execFile, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrawlClient, type CrawlResult } from '../../../src/client/index.js';
import { newCrawlId } from '../../support/frontier/builders.js';
import { prepareFleet, type Fleet } from '../client/fleet.js';
import { jsonLines, runCli } from './run-cli.js';

const MAIN = resolve('src/cli/main.ts');
const TSX = resolve('node_modules/tsx/dist/loader.mjs');
/** No address of any server. */
const ENV = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
/** A folder with no crawl in it. */
let elsewhere: string;
let fleet: Fleet;
let crawl: CrawlResult;

beforeAll(async () => {
  elsewhere = mkdtempSync(join(tmpdir(), 'orbweaver-elsewhere-'));
  fleet = await prepareFleet();
  await fleet.start();
  const crawls = new CrawlClient({ client: fleet.client, taskQueue: fleet.taskQueue });
  const seeds = [fleet.web.seedUrl, `http://${fleet.host(0)}/missing`];
  crawl = await (
    await crawls.start(fleet.options({ crawlId: newCrawlId('export'), seeds }))
  ).result();
});

afterAll(async () => {
  await fleet.dispose();
  rmSync(elsewhere, { recursive: true, force: true });
});

const withoutServers = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--import', TSX, MAIN, 'export', ...args], {
    cwd: elsewhere,
    env: ENV,
  });

describe('orbweaver export', () => {
  it('writes each page once, found by what the crawl says of its folder', async () => {
    const { stdout, stderr, exitCode } = await runCli(elsewhere, 'export', crawl.crawlId);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const urls = jsonLines(stdout).map(({ url }) => url);
    expect(urls).toHaveLength(crawl.totals.fetched);
    expect(new Set(urls).size).toBe(urls.length);
  });

  it('writes failures or every outcome', async () => {
    const failures = await runCli(elsewhere, 'export', crawl.crawlId, '--failures');
    expect(jsonLines(failures.stdout)).toEqual([
      expect.objectContaining({ url: `http://${fleet.host(0)}/missing`, outcome: 'failed' }),
    ]);
    const all = await runCli(elsewhere, 'export', crawl.crawlId, '--all');
    expect(jsonLines(all.stdout)).toHaveLength(crawl.totals.discovered);
    const both = await runCli(elsewhere, 'export', crawl.crawlId, '--all', '--failures');
    expect(both.exitCode).toBe(2);
  });

  it('needs no server where --out names the folder, and reports a torn line', async () => {
    const dir = join(fleet.out, crawl.crawlId);
    const [segment] = readdirSync(dir).filter((name) => name.startsWith('pages-'));
    appendFileSync(join(dir, segment!), `{"url":"http://${fleet.host(0)}/to`);
    const { stdout, stderr } = await withoutServers(crawl.crawlId, '--out', fleet.out);
    expect(jsonLines(stdout)).toHaveLength(crawl.totals.fetched);
    expect(stderr).toContain('1 torn line left out');
  });

  it('ends quietly when its reader has seen enough', async () => {
    const child = spawn(
      process.execPath,
      ['--import', TSX, MAIN, 'export', crawl.crawlId, '--out', fleet.out],
      { cwd: elsewhere, env: ENV, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const code = await new Promise((done) => child.on('close', done));
    expect({ code, stderr: stderr.replace(/.*torn line.*\n/, '') }).toEqual({
      code: 0,
      stderr: '',
    });
  });

  it('says what to do when the folder is not here', async () => {
    const { exitCode, stderr } = await runCli(
      elsewhere,
      'export',
      crawl.crawlId,
      '--out',
      'nowhere',
    );
    expect(exitCode).toBe(8);
    expect(stderr).toContain(join(elsewhere, 'nowhere', crawl.crawlId));
    expect(await runCli(elsewhere, 'export', 'no-such-crawl')).toMatchObject({ exitCode: 5 });
  });
});
