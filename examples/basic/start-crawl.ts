/**
 * Start a crawl, watch it, print its hosts and its result. Needs a Temporal and a worker:
 *
 *   orbweaver dev            # or servers of your own; then in a second terminal:
 *   orbweaver worker
 *   npx tsx start-crawl.ts https://example.com/ --options '{"maxPages": 50}'
 *
 * TEMPORAL_ADDRESS and TEMPORAL_TASK_QUEUE name the server and the queue.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { CrawlClient, CrawlError, type CrawlOptions } from 'orbweaver';

const { values, positionals: seeds } = parseArgs({
  allowPositionals: true,
  options: { options: { type: 'string', default: '{}' } },
});
const options = JSON.parse(values.options) as Partial<CrawlOptions>;

const connection = await Connection.connect({
  address: process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233',
});
const crawls = new CrawlClient({
  client: new Client({ connection }),
  taskQueue: process.env['TEMPORAL_TASK_QUEUE'] ?? 'orbweaver',
});

try {
  const crawl = await crawls.start({ ...options, seeds });
  console.log(`started ${crawl.crawlId} (workflow ${crawl.workflowId})`);

  // The result comes when it comes; until then, look every second.
  const result = crawl.result();
  const isOver = result.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([isOver, delay(1000, false)]))) {
    const { state, totals } = await crawl.progress();
    console.log(`${state}: ${totals.fetched} fetched, ${totals.outstanding} queued`);
  }

  const { finishReason, totals, durationMs } = await result;
  for await (const host of crawl.eachHost()) {
    console.log(`${host.hostKey}: ${host.fetched} fetched, ${host.failed} failed`);
  }
  console.log(`${finishReason}: ${totals.fetched} pages in ${Math.round(durationMs / 1000)} s`);
} catch (error) {
  // Match codes, not classes: docs/errors.md lists them.
  if (!(error instanceof CrawlError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
} finally {
  await connection.close();
}
