import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { CrawlClient, type CrawlResult, type HostStatus } from '../../../src/client/index.js';
import { shardKeys } from '../../../src/frontier/keys.js';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { connectRedis, type Redis } from '../../../src/redis/connection.js';
import { crawlSettings, discovered, newCrawlId } from '../../support/frontier/builders.js';
import { prepareFleet, type Fleet } from '../client/fleet.js';
import { jsonLines, runCli } from './run-cli.js';

let fleet: Fleet;
let redis: Redis;
let done: CrawlResult;
/** A crawl that nobody works on, of many hosts. */
const abandoned = newCrawlId('abandoned');
const HOSTS = 1203;

beforeAll(async () => {
  fleet = await prepareFleet();
  await fleet.start();
  redis = connectRedis(inject('redisUrl'));
  const crawls = new CrawlClient({ client: fleet.client, taskQueue: fleet.taskQueue });
  const crawl = await crawls.start(fleet.options({ crawlId: newCrawlId('cli') }));
  done = await crawl.result();
  const frontier = new RedisFrontier(redis, abandoned);
  await frontier.create({ settings: crawlSettings(), seeds: ['https://a.test/'] }, 'test');
  const urls = Array.from({ length: HOSTS }, (_unused, n) =>
    discovered(`host-${String(n).padStart(4, '0')}.example`, 'page'),
  );
  await frontier.addUrls(urls);
});

afterAll(async () => {
  await new RedisFrontier(redis, abandoned).delete();
  redis.disconnect();
  await fleet.dispose();
});

const cli = (...args: string[]) => runCli(fleet.out, ...args);

describe('orbweaver list, beside a damaged record', () => {
  it('names the crawl that is damaged and lists the others', async () => {
    const damaged = newCrawlId('damaged');
    const frontier = new RedisFrontier(redis, damaged);
    await frontier.create({ settings: crawlSettings(), seeds: ['https://a.test/'] }, 'test');
    await redis.hset(shardKeys(damaged).crawl, 'settings', '{broken');
    const { stdout, stderr, exitCode } = await cli('list');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(done.crawlId);
    expect(stderr).toContain(`crawl "${damaged}": its record in Redis is damaged`);
    await frontier.delete();
  });
});

describe('orbweaver status', () => {
  it('tells state, reason and counters of a crawl that is over', async () => {
    const { stdout, stderr, exitCode } = await cli('status', done.crawlId);
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^state +finished \(completed\)$/m);
    expect(stdout).toContain(`${done.totals.fetched} stored`);
    expect(stdout).toMatch(/^seen filter +bloom: about 0 new URLs skipped/m);
    expect(stdout).not.toContain('no worker');
  });

  it('says the same to programs', async () => {
    const { stdout } = await cli('status', done.crawlId, '--json');
    expect(jsonLines(stdout)).toEqual([
      expect.objectContaining({
        crawlId: done.crawlId,
        state: 'finished',
        totals: done.totals,
        isAbandoned: false,
        out: `${fleet.out}/${done.crawlId}`,
      }),
    ]);
  });

  it('says that nobody works on a crawl, and how to go on', async () => {
    const { stdout } = await cli('status', abandoned);
    expect(stdout).toContain('no worker has been seen yet');
    expect(stdout).toContain(`orbweaver resume ${abandoned}`);
  });

  it('watches until the crawl is over', async () => {
    const { stdout } = await cli('status', done.crawlId, '--watch', '--json');
    expect(jsonLines(stdout)).toHaveLength(1);
  });

  it('refuses an id that nobody knows', async () => {
    const { stderr, exitCode } = await cli('status', 'no-such-crawl');
    expect(exitCode).toBe(5);
    expect(stderr).toContain('there is no crawl "no-such-crawl"');
    expect(await cli('hosts', 'no-such-crawl')).toMatchObject({ exitCode: 5, stdout: '' });
  });
});

describe('orbweaver hosts', () => {
  it('shows all hosts, sorted, in columns that line up', async () => {
    const { stdout } = await cli('hosts', abandoned);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(HOSTS + 1);
    expect(lines.slice(1)).toEqual([...lines.slice(1)].sort());
    const column = lines[0]!.indexOf('STATE');
    expect(new Set(lines.slice(1).map((line) => line.slice(column, column + 7)))).toEqual(
      new Set(['pending']),
    );
  });

  it('shows no more than asked for, and says that there are more', async () => {
    const { stdout, stderr } = await cli('hosts', abandoned, '--limit', '700', '--json');
    const hosts = jsonLines<HostStatus>(stdout);
    expect(hosts).toHaveLength(700);
    expect(hosts.at(-1)).toMatchObject({ hostKey: 'host-0699.example', queued: 1 });
    expect(stderr).toContain('first 700; the crawl has 1,203 hosts');
  });

  it('shows hosts of one state', async () => {
    const pending = await cli('hosts', abandoned, '--state', 'pending', '--json');
    expect(jsonLines(pending.stdout)).toHaveLength(HOSTS);
    const blocked = await cli('hosts', abandoned, '--state', 'blocked', '--json');
    expect(blocked).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await cli('hosts', abandoned, '--state', 'asleep')).toMatchObject({ exitCode: 2 });
  });

  it('counts per host what the crawl counts', async () => {
    const { stdout } = await cli('hosts', done.crawlId, '--json');
    const hosts = jsonLines<HostStatus>(stdout);
    expect(hosts).toHaveLength(done.totals.hosts);
    expect(hosts.reduce((sum, { fetched }) => sum + fetched, 0)).toBe(done.totals.fetched);
  });
});

describe('orbweaver list', () => {
  it('shows every crawl, and which nobody works on', async () => {
    const { stdout } = await cli('list');
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^CRAWL +STATE +PAGES/);
    expect(lines.find((line) => line.startsWith(done.crawlId))).toMatch(/ finished +\d+ /);
    expect(lines.find((line) => line.startsWith(abandoned))).toContain('running (no worker)');
    const crawls = jsonLines((await cli('list', '--json')).stdout);
    expect(crawls.map(({ crawlId }) => crawlId)).toEqual(
      expect.arrayContaining([done.crawlId, abandoned]),
    );
  });
});
