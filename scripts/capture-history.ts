/**
 * Save one run of a workflow for replay: `tsx scripts/capture-history.ts <workflow id> <file>
 * [--run-id ID]`, from the Temporal of TEMPORAL_ADDRESS (and all of @temporalio/envconfig). A change
 * of a workflow adds files beside those of older versions: test/replay/histories/<name>-v<n>.json.
 */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { temporal } from '@temporalio/proto';

const { History } = temporal.api.history.v1;

/** A saved run, ready for Worker.runReplayHistory. */
export interface CapturedRun {
  readonly workflowId: string;
  readonly history: temporal.api.history.v1.IHistory;
}

/** Read what {@link captureHistory} saved: events as JSON, enums by name, bytes in base64. */
export function readCapturedRun(file: string): CapturedRun {
  const saved = JSON.parse(readFileSync(file, 'utf8')) as { workflowId: string; history: object };
  return { workflowId: saved.workflowId, history: History.fromObject(saved.history) };
}

/** Save a run, the current one unless another is named. */
export async function captureHistory(
  client: Client,
  run: { readonly workflowId: string; readonly runId?: string; readonly file: string },
): Promise<void> {
  const { workflowId, runId, file } = run;
  const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const plain = { enums: String, longs: String, bytes: String };
  const saved = { workflowId, history: History.toObject(History.fromObject(history), plain) };
  await writeFile(file, `${JSON.stringify(saved, withoutTraces, 1)}\n`);
}

/** Where and by whom a run was served says nothing to a replay. */
function withoutTraces(key: string, value: unknown): unknown {
  if (key === 'stackTrace') return '';
  return key === 'identity' ? 'worker' : value;
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'run-id': { type: 'string' } },
  });
  const [workflowId, file] = positionals;
  if (workflowId === undefined || file === undefined) {
    throw new Error('usage: capture-history.ts <workflow id> <file> [--run-id ID]');
  }
  const { connectionOptions, namespace } = loadClientConnectConfig();
  const connection = await Connection.connect(connectionOptions);
  try {
    const client = new Client({ connection, ...(namespace && { namespace }) });
    const runId = values['run-id'];
    await captureHistory(client, { workflowId, file, ...(runId && { runId }) });
    console.error(`${file}: saved ${workflowId}`);
  } finally {
    await connection.close();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
