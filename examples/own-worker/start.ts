/**
 * Start the workflow of one's own and wait for what it reports.
 *
 *   npx tsx start.ts my-crawl https://example.com/ --options '{"maxPages": 20}'
 */
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import type { crawlAndReportWorkflow } from './workflows.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { options: { type: 'string', default: '{}' } },
});
const [crawlId, ...seeds] = positionals;
if (crawlId === undefined || seeds.length === 0)
  throw new Error('usage: start.ts <crawlId> <url…>');

const connection = await Connection.connect({
  address: process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233',
});
const client = new Client({ connection });
const reported = await client.workflow.execute<typeof crawlAndReportWorkflow>(
  'crawlAndReportWorkflow',
  {
    workflowId: `report/${crawlId}`,
    taskQueue: process.env['TEMPORAL_TASK_QUEUE'] ?? 'my-crawls',
    args: [{ crawlId, seeds, options: JSON.parse(values.options) as Record<string, unknown> }],
  },
);
console.log(reported);
await connection.close();
