import { mkdirSync, renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrawlClient, type CrawlResult } from '../../../src/client/index.js';
import { newCrawlId } from '../../support/frontier/builders.js';
import { jsonLines, runCli } from '../cli-control/run-cli.js';
import { prepareFleet, type Fleet } from '../client/fleet.js';

let fleet: Fleet;
let done: CrawlResult;

beforeAll(async () => {
  fleet = await prepareFleet();
  await fleet.start();
  const crawls = new CrawlClient({ client: fleet.client, taskQueue: fleet.taskQueue });
  const options = { crawlId: newCrawlId('explained'), exclude: ['*/guide/*'] };
  done = await (await crawls.start(fleet.options(options))).result();
});

afterAll(async () => {
  await fleet.dispose();
});

const cli = (...args: string[]) => runCli(fleet.out, 'explain', ...args);

describe('orbweaver explain, of a crawl that is over', () => {
  it('says in its first line what became of a page, then what that goes by', async () => {
    const { stdout, stderr, exitCode } = await cli(done.crawlId, `${fleet.web.seedUrl}#top`);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/^It was fetched at \S+Z and is in the output\.\n\n/);
    expect(stdout).toMatch(/^scope +in: it is a seed$/m);
    expect(stdout).toMatch(/^robots\.txt +(allowed|there is none)/m);
    expect(stdout).toMatch(/^outcome +fetched, HTTP 200, /m);
  });

  it('agrees with the output about every URL', async () => {
    const records = jsonLines<{ url: string; outcome: string; depth: number }>(
      (await runCli(fleet.out, 'export', done.crawlId, '--all', '--out', fleet.out)).stdout,
    );
    expect(records.length).toBeGreaterThan(3);
    for (const { url, outcome, depth } of records.slice(0, 6)) {
      const [told] = jsonLines((await cli(done.crawlId, url, '--json')).stdout);
      expect(told).toMatchObject({
        verdict: outcome,
        url,
        page: { isSeen: true, place: null, record: { url, depth } },
        out: `${fleet.out}/${done.crawlId}`,
      });
    }
  });

  it('names the rule and the option that kept a URL out', async () => {
    const { stdout } = await cli(done.crawlId, `http://${fleet.host(0)}/guide/anything`);
    expect(stdout).toMatch(
      /^It was never queued and would not be: out of scope by exclude \*\/guide\/\*\./,
    );
    expect(stdout).toMatch(/^seen +no$/m);
  });

  it('says where the output is missing, and takes another folder', async () => {
    const moved = `${fleet.out}/moved`;
    mkdirSync(moved);
    renameSync(`${fleet.out}/${done.crawlId}`, `${moved}/${done.crawlId}`);
    const lost = await cli(done.crawlId, fleet.web.seedUrl);
    expect(lost.stdout).toContain('what became of it is not known here');
    expect(lost.stdout).toContain('is not on this machine; name its folder with --out');
    const found = await cli(done.crawlId, fleet.web.seedUrl, '--out', 'moved');
    expect(found.stdout).toMatch(/^It was fetched at /);
  });

  it('refuses what is no URL, and a crawl that nobody knows', async () => {
    const bare = await cli(done.crawlId, 'example.com/page');
    expect(bare).toMatchObject({ exitCode: 2, stdout: '' });
    expect(bare.stderr).toContain(
      'url: "example.com/page" is no absolute URL. Give one such as https://example.com/page',
    );
    expect(await cli('no-such-crawl', 'https://a.test/')).toMatchObject({
      exitCode: 5,
      stdout: '',
    });
  });
});
