/** `orbweaver held`: what is held back as a trap is listed, and queued on demand. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { connectRedis, type Redis } from '../../../src/redis/connection.js';
import { crawlSettings, discovered, newCrawlId } from '../../support/frontier/builders.js';
import { jsonLines, runCli } from './run-cli.js';

const HELD = 1203;
const crawlId = newCrawlId('held');
const cwd = mkdtempSync(join(tmpdir(), 'orbweaver-held-'));
let redis: Redis;
let frontier: RedisFrontier;
const cli = (...args: string[]) => runCli(cwd, ...args);

beforeAll(async () => {
  redis = connectRedis(inject('redisUrl'));
  frontier = new RedisFrontier(redis, crawlId);
  await frontier.create({ settings: crawlSettings(), seeds: ['https://a.test/'] }, 'test');
  const suspicion = { rule: 'deepPath', weight: 'hold' } as const;
  await frontier.addUrls(
    Array.from({ length: HELD }, (_unused, n) => discovered('a.test', `deep/${n}`, { suspicion })),
  );
});

afterAll(async () => {
  await frontier.delete();
  redis.disconnect();
  rmSync(cwd, { recursive: true, force: true });
});

describe('orbweaver held', () => {
  it('lists every URL once, with its rule and where it was found', async () => {
    const { stdout, stderr, exitCode } = await cli('held', crawlId);
    expect(exitCode).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(new Set(lines).size).toBe(HELD);
    expect(lines).toContain('deepPath           https://a.test/deep/7  (found on https://a.test/)');
    expect(stderr).toContain('by rule: 1,203 deepPath');
    expect(stderr).toContain(`orbweaver held ${crawlId} --requeue`);
  });

  it('says as much to programs, and no more than asked for', async () => {
    const { stdout } = await cli('held', crawlId, '--json', '--limit', '12');
    const urls = jsonLines(stdout);
    expect(urls).toHaveLength(12);
    expect(urls[0]).toMatchObject({ rule: 'deepPath', hostKey: 'a.test', kind: 'page', depth: 1 });
    const { stderr } = await cli('held', crawlId, '--limit', '12');
    expect(stderr).toContain('first 12 of 1,203');
  });

  it('is named by status', async () => {
    const { stdout } = await cli('status', crawlId);
    expect(stdout).toMatch(/^held back +1,203 that look like crawl traps: orbweaver held /m);
  });

  it('requeues up to the limit, then the rest, and says how to go on', async () => {
    const first = await cli('held', crawlId, '--requeue', '--limit', '3', '--json');
    expect(jsonLines(first.stdout)).toEqual([
      { crawlId, requeued: 3, left: HELD - 3, isRunning: false },
    ]);
    const { stderr } = await cli('held', crawlId, '--requeue');
    expect(stderr).toContain(
      `1,200 URLs queued; go on with: orbweaver resume ${crawlId} --no-traps`,
    );
    expect((await frontier.status()).totals).toMatchObject({ trapped: 0, outstanding: HELD });
    const none = await cli('held', crawlId, '--requeue');
    expect(none.stderr).toContain(`no URL of crawl ${crawlId} is held back`);
    expect((await cli('held', crawlId)).stdout).toBe('');
  });

  it('refuses an id that nobody knows, and a limit that is none', async () => {
    const unknown = await cli('held', 'nobody-knows');
    expect(unknown.exitCode).not.toBe(0);
    expect(unknown.stderr).toContain('there is no crawl "nobody-knows"');
    expect((await cli('held', crawlId, '--limit', '0')).stderr).toContain('--limit');
  });
});
