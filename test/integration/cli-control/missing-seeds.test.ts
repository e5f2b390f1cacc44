/** A crawl whose process was killed while it still read its seeds. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCrawlWorkflow } from '../../../src/client/start-workflow.js';
import { DEFAULT_TASK_QUEUE } from '../../../src/contracts/task-queues.js';
import { newCrawlId } from '../../support/frontier/builders.js';
import { prepareFleet, type Fleet } from '../client/fleet.js';
import { jsonLines, runCli, startProcess } from './run-cli.js';

let fleet: Fleet;

beforeAll(async () => {
  fleet = await prepareFleet();
});

afterAll(() => fleet.dispose());

describe('a crawl that was ended while its seeds were added', () => {
  it('says so, also at its end, until resume has added the rest', async () => {
    const crawlId = newCrawlId('cli');
    const [first, second] = [0, 1].map((host) => `http://${fleet.host(host)}/`) as [string, string];
    const { seeds, ...options } = fleet.options({ seeds: [first], scope: 'host', delayMs: 0 });
    const reach = {
      client: fleet.client,
      taskQueue: DEFAULT_TASK_QUEUE,
      answerTimeoutMs: 30_000,
    };
    await startCrawlWorkflow(reach, { crawlId, seeds: [...seeds], options, moreSeeds: true });
    const half = await startProcess(fleet.out, 'resume', crawlId, '--json').ended;
    expect(half.code, half.stderr).toBe(0);
    const remedy = `orbweaver resume ${crawlId} --seeds-file`;
    expect(half.stderr).toContain(remedy);
    expect((await runCli(fleet.out, 'status', crawlId)).stdout).toContain(remedy);

    writeFileSync(join(fleet.out, 'seeds.txt'), `${first}\n${second}\n`);
    const args = ['resume', crawlId, '--seeds-file', 'seeds.txt', '--json'];
    const whole = await startProcess(fleet.out, ...args).ended;
    expect(whole.code, whole.stderr).toBe(0);
    expect(whole.stderr).not.toContain('not all of its seeds');
    const [before, after] = [half, whole].map(({ stdout }) => jsonLines(stdout)[0]);
    expect(after).toMatchObject({ state: 'finished', hosts: 2 });
    expect(Number(after?.['fetched'])).toBeGreaterThan(Number(before?.['fetched']));
    expect((await runCli(fleet.out, 'status', crawlId)).stdout).not.toContain(remedy);
  }, 120_000);
});
