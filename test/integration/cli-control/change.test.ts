import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { CrawlClient, type CrawlHandle } from '../../../src/client/index.js';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { connectRedis, type Redis } from '../../../src/redis/connection.js';
import { newCrawlId } from '../../support/frontier/builders.js';
import { prepareFleet, type Fleet } from '../client/fleet.js';
import { jsonLines, runCli } from './run-cli.js';

let fleet: Fleet;
let redis: Redis;
let crawls: CrawlClient;

beforeAll(async () => {
  fleet = await prepareFleet();
  redis = connectRedis(inject('redisUrl'));
  crawls = new CrawlClient({ client: fleet.client, taskQueue: fleet.taskQueue });
});

afterAll(async () => {
  redis.disconnect();
  await fleet.dispose();
});

const cli = (...args: string[]) => runCli(fleet.out, ...args);
const stateOf = async ({ crawlId }: CrawlHandle) =>
  (await new RedisFrontier(redis, crawlId).status()).state;

/** A crawl whose first page waits for a minute behind its host's robots.txt; a host each. */
async function slowCrawl(host: number): Promise<CrawlHandle> {
  await fleet.start();
  const crawl = await crawls.start(
    fleet.options({
      crawlId: newCrawlId('cli'),
      seeds: [`http://${fleet.host(host)}/`],
      scope: 'host',
      delayMs: 60_000,
    }),
  );
  while ((await crawl.progress()).hostsStarted === 0);
  return crawl;
}

describe('orbweaver pause, unpause, stop', () => {
  it('pause and unpause act while no worker runs, and the crawl obeys when one does', async () => {
    const crawl = await slowCrawl(0);
    await fleet.stop();
    const paused = await cli('pause', crawl.crawlId);
    expect(paused).toMatchObject({ exitCode: 0, stdout: '' });
    expect(paused.stderr).toContain(`orbweaver unpause ${crawl.crawlId}`);
    expect(await stateOf(crawl)).toBe('paused');
    const again = await cli('pause', crawl.crawlId, '--json');
    expect(jsonLines(again.stdout)).toEqual([
      expect.objectContaining({ state: 'paused', wasSo: true, isTold: true }),
    ]);

    await fleet.start();
    await crawl.adjust({ delayMs: 0 });
    expect((await crawl.progress()).state).toBe('paused');
    expect((await cli('unpause', crawl.crawlId)).stderr).toContain('is running again');
    expect(await crawl.result()).toMatchObject({ finishReason: 'completed' });
    await fleet.stop();
  });

  it('stop ends a crawl; what is refused is explained', async () => {
    const crawl = await slowCrawl(1);
    const stopped = await cli('stop', crawl.crawlId);
    expect(stopped.stderr).toContain(`orbweaver resume ${crawl.crawlId}`);
    expect(await crawl.result()).toMatchObject({ finishReason: 'stopped' });
    for (const command of ['pause', 'unpause', 'stop']) {
      const refused = await cli(command, crawl.crawlId);
      expect(refused.exitCode).toBe(7);
      expect(refused.stderr).toContain(`is finished: ${command} does nothing here`);
      expect(refused.stderr).toContain(`orbweaver resume ${crawl.crawlId}`);
    }
    expect(await stateOf(crawl)).toBe('finished');
    expect(await cli('pause', 'no-such-crawl')).toMatchObject({ exitCode: 5 });
    await fleet.stop();
  });
});

describe('orbweaver delete', () => {
  it('refuses a crawl that runs; --force ends it without any worker and removes all', async () => {
    const crawl = await slowCrawl(2);
    await fleet.stop();
    const refused = await cli('delete', crawl.crawlId);
    expect(refused.exitCode).toBe(7);
    expect(refused.stderr).toContain('--force');
    expect(await stateOf(crawl)).toBe('running');

    const dir = join(fleet.out, crawl.crawlId);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'left.jsonl'), '{}\n');
    const forced = await cli('delete', crawl.crawlId, '--force', '--output', '--json');
    expect(forced.exitCode).toBe(0);
    expect(jsonLines<{ terminated: number }>(forced.stdout)[0]!.terminated).toBeGreaterThan(1);
    expect(existsSync(dir)).toBe(false);
    const running = fleet.client.workflow.list({
      query: `CrawlId = '${crawl.crawlId}' AND ExecutionStatus = 'Running'`,
    });
    for await (const { workflowId } of running) expect.fail(`${workflowId} still runs`);
    expect(await redis.keys(`*${crawl.crawlId}*`)).toEqual([]);
    expect(await cli('status', crawl.crawlId)).toMatchObject({ exitCode: 5 });
  });

  it('keeps the output of a crawl that is over, unless told otherwise', async () => {
    await fleet.start();
    const crawl = await crawls.start(
      fleet.options({ crawlId: newCrawlId('cli'), maxPages: 2, scope: 'host' }),
    );
    await crawl.result();
    const dir = join(fleet.out, crawl.crawlId);
    const { stderr, exitCode } = await cli('delete', crawl.crawlId);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`removed crawl ${crawl.crawlId} from Redis`);
    expect(stderr).toContain(`its output stays in ${dir}`);
    expect(existsSync(dir)).toBe(true);
    expect(await cli('delete', crawl.crawlId, '--output')).toMatchObject({ exitCode: 5 });
    await fleet.stop();
  });
});
