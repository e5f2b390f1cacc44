/** `orbweaver dead-letters`: what was given up is listed, and queued again on demand. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { connectRedis, type Redis } from '../../../src/redis/connection.js';
import { crawlSettings, discoveredMany, newCrawlId } from '../../support/frontier/builders.js';
import { HostRun, nominated } from '../../support/frontier/drive.js';
import { jsonLines, runCli } from './run-cli.js';

const HOST = 'a.test';
const LETTERS = 501;
const crawlId = newCrawlId('dead-letters');
const cwd = mkdtempSync(join(tmpdir(), 'orbweaver-dead-letters-'));
let redis: Redis;
let frontier: RedisFrontier;
const cli = (...args: string[]) => runCli(cwd, ...args);

beforeAll(async () => {
  redis = connectRedis(inject('redisUrl'));
  frontier = new RedisFrontier(redis, crawlId);
  await frontier.create({ settings: crawlSettings(), seeds: [`https://${HOST}/`] }, 'test');
  await frontier.addUrls(discoveredMany(HOST, LETTERS));
  await nominated(frontier);
  const run = new HostRun(frontier, HOST);
  let reply = await run.lease();
  while (reply.status === 'lease') {
    const { url } = reply.item;
    reply = await run.complete(url, 'failed', { reason: 'HTTP 500', deadLetter: true });
  }
});

afterAll(async () => {
  await frontier.delete();
  redis.disconnect();
  rmSync(cwd, { recursive: true, force: true });
});

describe('orbweaver dead-letters', () => {
  it('lists every URL once, with its reason', async () => {
    const { stdout, stderr, exitCode } = await cli('dead-letters', crawlId);
    expect(exitCode).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(new Set(lines).size).toBe(LETTERS);
    expect(lines.every((line) => line.startsWith(`HTTP 500  https://${HOST}/p`))).toBe(true);
    expect(stderr).toContain('by reason: 501 HTTP 500');
    expect(stderr).toContain(`orbweaver dead-letters ${crawlId} --requeue`);
    const { stdout: json } = await cli('dead-letters', crawlId, '--json', '--limit', '2');
    expect(jsonLines(json)).toMatchObject([{ reason: 'HTTP 500', depth: 1 }, { kind: 'page' }]);
  });

  it('is named by status', async () => {
    const { stdout } = await cli('status', crawlId);
    expect(stdout).toMatch(/^dead letters +501 that may be tried again: orbweaver dead-letters /m);
  });

  it('requeues up to the limit, then the rest, and says how to go on', async () => {
    const first = await cli('dead-letters', crawlId, '--requeue', '--limit', '1', '--json');
    expect(jsonLines(first.stdout)).toEqual([
      { crawlId, requeued: 1, left: LETTERS - 1, isRunning: false },
    ]);
    const { stderr } = await cli('dead-letters', crawlId, '--requeue');
    expect(stderr).toContain(`500 URLs queued; go on with: orbweaver resume ${crawlId}\n`);
    const { totals } = await frontier.status();
    expect(totals).toMatchObject({ deadLetters: 0, failed: 0, outstanding: LETTERS });
    const none = await cli('dead-letters', crawlId);
    expect(none.stderr).toContain(
      `no URL of crawl ${crawlId} was given up that may be tried again`,
    );
    expect(none.stdout).toBe('');
  });

  it('refuses an id that nobody knows', async () => {
    const unknown = await cli('dead-letters', 'nobody-knows');
    expect(unknown.exitCode).not.toBe(0);
    expect(unknown.stderr).toContain('there is no crawl "nobody-knows"');
  });
});
