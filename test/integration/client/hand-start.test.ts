/** What docs/client.md tells people without the client to do. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { CrawlClient } from '../../../src/client/index.js';
import { prepareFleet, type Fleet } from './fleet.js';

let fleet: Fleet;

beforeAll(async () => {
  fleet = await prepareFleet();
  await fleet.start();
});

afterAll(() => fleet.dispose());

const temporal = (...args: string[]) =>
  promisify(execFile)(inject('temporalExecutable'), [
    'workflow',
    ...args,
    '--address',
    inject('temporalAddress'),
  ]);

it('starts and commands a crawl by hand, with the JSON of docs/client.md (C6)', async () => {
  const documented = /```json\n([^`]*)```/.exec(readFileSync('docs/client.md', 'utf8'))![1]!;
  const input = JSON.parse(documented) as { options: Record<string, unknown> };
  const crawlId = `by-hand-${randomUUID()}`;
  const { seeds, ...options } = fleet.options();
  const file = join(fleet.out, 'crawl.json');
  const changed = { ...input, crawlId, seeds, options: { ...input.options, ...options } };
  writeFileSync(file, JSON.stringify(changed));

  const id = ['--workflow-id', `crawl/${crawlId}`];
  await temporal(
    ...['start', '--type', 'crawlWorkflow', '--task-queue', fleet.taskQueue, ...id],
    ...['--search-attribute', `CrawlId="${crawlId}"`, '--input-file', file],
  );
  const added = JSON.stringify({ seeds: [`http://${fleet.host(2)}/`] });
  await temporal('update', 'execute', ...id, '--name', 'addSeeds', '--input', added).catch(
    (error: { stderr: string }) => {
      // So few pages may all be there by now.
      expect(error.stderr).toContain('workflow execution already completed');
    },
  );
  const crawls = new CrawlClient({ client: fleet.client, taskQueue: fleet.taskQueue });
  const result = await crawls.get(crawlId).result();
  expect(result).toMatchObject({ crawlId, finishReason: 'completed' });
  expect(result.totals.fetched).toBeGreaterThan(15);
});
