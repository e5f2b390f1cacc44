/** A crawl whose process was killed after the workflow's start, before any worker had seen it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrawlClient } from '../../../src/client/index.js';
import { newCrawlId } from '../../support/frontier/builders.js';
import { prepareFleet, type Fleet } from '../client/fleet.js';
import { jsonLines, runCli, startProcess } from './run-cli.js';

let fleet: Fleet;
let crawls: CrawlClient;

beforeAll(async () => {
  fleet = await prepareFleet();
  // The queue of the command line: `resume` brings the worker.
  crawls = new CrawlClient({ client: fleet.client });
});

afterAll(() => fleet.dispose());

const cli = (...args: string[]) => runCli(fleet.out, ...args);

const resume = (crawlId: string) => startProcess(fleet.out, 'resume', crawlId, '--json').ended;

async function unopenedCrawl(): Promise<string> {
  const crawlId = newCrawlId('cli');
  const seeds = [`http://${fleet.host(0)}/`];
  await crawls.start(fleet.options({ crawlId, seeds, scope: 'host', delayMs: 0 }));
  return crawlId;
}

describe('a crawl that no worker has opened yet', () => {
  it('is said to be one, with the command that goes on, and goes on', async () => {
    const crawlId = await unopenedCrawl();
    for (const command of ['status', 'hosts', 'pause', 'stop', 'delete']) {
      const { exitCode, stderr } = await cli(command, crawlId);
      expect(exitCode, command).toBe(7);
      expect(stderr, command).toContain(`orbweaver resume ${crawlId}`);
    }
    const { code, stdout, stderr } = await resume(crawlId);
    expect(stderr).toContain('no worker has opened it yet');
    expect(code, stderr).toBe(0);
    expect(jsonLines(stdout)).toEqual([
      expect.objectContaining({ crawlId, state: 'finished', finishReason: 'completed' }),
    ]);
  }, 120_000);

  it('is dropped by delete --force', async () => {
    const crawlId = await unopenedCrawl();
    expect(await cli('delete', crawlId, '--force')).toMatchObject({ exitCode: 0 });
    expect((await cli('status', crawlId)).exitCode).toBe(5);
    expect((await cli('delete', crawlId, '--force')).exitCode).toBe(5);
  });
});
