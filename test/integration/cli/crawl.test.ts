/** The command line as a process, on servers of one's own. */
import { createServer, type Server } from 'node:http';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newCrawlId } from '../../support/frontier/builders.js';
import { spawnCli, waitFor, type CliProcess } from '../../support/chaos.js';

const PAGES = 30;
let dir = '';
let site: Server;
let forbidden: Server;

/** Pages in a row, each linking to the next. */
function pageSite(): Server {
  return createServer((request, response) => {
    const number = Number(/^\/(\d*)$/.exec(request.url ?? '')?.[1] ?? NaN);
    response.setHeader('content-type', 'text/html');
    if (Number.isNaN(number) || number >= PAGES) response.statusCode = 404;
    response.end(`<title>${number}</title><a href="/${number + 1}">next</a>`);
  });
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const listen = (server: Server) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'orbweaver-cli-'));
  site = pageSite();
  forbidden = createServer((_request, response) => {
    response.setHeader('content-type', 'text/plain');
    response.end('User-agent: *\nDisallow: /\n');
  });
  await Promise.all([listen(site), listen(forbidden)]);
});

afterAll(() => {
  site.close();
  forbidden.close();
  rmSync(dir, { recursive: true, force: true });
});

function cli(...args: readonly string[]): CliProcess {
  return spawnCli(args, {
    // `npm test` has built it.
    command: [process.execPath, join(process.cwd(), 'dist/cli/main.js')],
    cwd: dir,
    env: {
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      REDIS_URL: inject('redisUrl'),
      ORBWEAVER_UI_URL: inject('temporalUiUrl'),
    },
  });
}

const crawlArgs = (crawlId: string, ...more: readonly string[]) =>
  ['crawl', urlOf(site), '--allow-private', '--crawl-id', crawlId, ...more] as const;
const lastJson = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>;

describe('orbweaver crawl', { timeout: 180_000 }, () => {
  it('crawls, says so on stderr, and prints one line of JSON on stdout', async () => {
    const crawlId = newCrawlId('cli');
    const { code, stdout, stderr } = await cli(
      ...crawlArgs(crawlId, '--delay', '0', '--limit', '12', '--json'),
    ).ended;
    expect([code, stdout.split('\n').length]).toEqual([0, 2]);
    expect(lastJson(stdout)).toMatchObject({
      crawlId,
      state: 'finished',
      finishReason: 'pageLimit',
      fetched: 12,
      out: join(dir, 'out', crawlId),
    });
    expect(stderr).toContain(`/workflows/crawl%2F${crawlId}`);
    expect(stderr).toContain(`orbweaver export ${crawlId}`);
    expect(stderr).toContain(`orbweaver resume ${crawlId} --limit 24`);
    expect(readdirSync(join(dir, 'out', crawlId)).length).toBeGreaterThan(0);

    const again = await cli(...crawlArgs(crawlId)).ended;
    expect(again.code).toBe(6);
    expect(again.stderr).toContain(`orbweaver resume ${crawlId}`);

    const more = await cli('resume', crawlId, '--limit', '15', '--json', '--quiet').ended;
    expect([more.code, more.stderr]).toEqual([0, '']);
    expect(lastJson(more.stdout)).toMatchObject({ fetched: 15, finishReason: 'pageLimit' });

    // Deleted without its output: a new crawl of that name would export both.
    expect((await cli('delete', crawlId).ended).code).toBe(0);
    const anew = await cli(...crawlArgs(crawlId)).ended;
    expect(anew.code).toBe(6);
    expect(anew.stderr).toContain(`output of an earlier crawl in ${join(dir, 'out', crawlId)}`);
  });

  it('explains a crawl without any page and ends with its own code', async () => {
    const crawlId = newCrawlId('cli');
    const { code, stderr } = await cli(
      'crawl',
      urlOf(forbidden),
      ...['--allow-private', '--crawl-id', crawlId, '--quiet'],
    ).ended;
    expect(code).toBe(3);
    expect(stderr).toContain('no page was stored: skipped: 1 robotsTxt');
    expect(stderr).toContain('--robots ignore');
  });

  it('says which seeds of a file are none, and crawls the rest', async () => {
    const file = join(dir, 'seeds.txt');
    writeFileSync(file, `# seeds\n${urlOf(site)}\nnonsense\n`);
    const { code, stdout, stderr } = await cli(
      ...['crawl', '--seeds-file', file, '--allow-private', '--depth', '0', '--json'],
    ).ended;
    expect(code).toBe(0);
    expect(lastJson(stdout)).toMatchObject({ fetched: 1 });
    expect(stderr).toContain('seed refused: nonsense');
  });

  it('is kept at Ctrl-C, and resume goes on where it was', async () => {
    const crawlId = newCrawlId('cli');
    const first = cli(...crawlArgs(crawlId, '--delay', '200', '--json'));
    await waitFor(() => /[1-9]\d* fetched/.test(first.output().stderr), {
      what: 'a page',
      timeoutMs: 90_000,
    });
    first.kill('SIGINT');
    const interrupted = await first.ended;
    expect(interrupted.code).toBe(130);
    expect(interrupted.stderr).toContain(`go on with: orbweaver resume ${crawlId}`);
    const before = lastJson(interrupted.stdout);
    expect(before).toMatchObject({ state: 'running' });

    const { code, stdout, stderr } = await cli('resume', crawlId, '--delay', '0', '--json').ended;
    expect(stderr).toContain(`${String(before['fetched'])} fetched`);
    expect(code).toBe(0);
    expect(lastJson(stdout)).toMatchObject({ state: 'finished', fetched: PAGES, failed: 1 });
  });

  it('refuses what is no crawl or no option with distinct codes', async () => {
    expect((await cli('resume', 'never-started').ended).code).toBe(5);
    const wrong = await cli('crawl', urlOf(site), '--scope', 'x', '--limit', 'y').ended;
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toContain('scope (from --scope)');
    expect(wrong.stderr).toContain('maxPages (from --limit)');
    writeFileSync(join(dir, 'a-file'), '');
    const unwritable = await cli('crawl', urlOf(site), '--out', join(dir, 'a-file', 'out')).ended;
    expect([unwritable.code, unwritable.stdout]).toEqual([8, '']);
    expect(unwritable.stderr).toMatch(/^out: .*a-file\/out can't be written/m);
  });
});

describe('orbweaver doctor', () => {
  it('finds these servers fit', async () => {
    const { code, stdout } = await cli('doctor', '--json').ended;
    const { fit, checks } = JSON.parse(stdout) as { fit: boolean; checks: { status: string }[] };
    expect(checks.filter(({ status }) => status === 'fail')).toEqual([]);
    expect([code, fit]).toEqual([0, true]);
  });
});

describe('orbweaver worker', () => {
  it('serves until SIGTERM and ends in order', async () => {
    const worker = cli('worker', '--role', 'fetch', '--task-queue', newCrawlId('queue'));
    await waitFor(() => worker.output().stderr.includes('worker: role fetch'), {
      what: 'it runs',
      timeoutMs: 90_000,
    });
    worker.kill('SIGTERM');
    const { code, stdout, stderr } = await worker.ended;
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('worker: stopped');
  });
});
