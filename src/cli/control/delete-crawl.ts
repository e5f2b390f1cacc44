/** `delete`: first nobody works on the crawl, then its frontier goes, then its folder. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { CrawlStatus } from '../../contracts/frontier.js';
import { CRAWL_ID_ATTRIBUTE, crawlWorkflowId } from '../../contracts/workflow-ids.js';
import { FrontierError, OutputError } from '../../errors.js';
import { FINAL_STATES } from '../../frontier/crawl-directory.js';
import { RedisFrontier } from '../../frontier/redis-frontier.js';
import { commandLine } from '../context.js';
import type { Engine } from '../engine.js';

/** A parent with a living worker cancels its hosts within this; after that all are terminated. */
const CANCEL_MS = 5000;
/** Looks for workflows that were started while the ones before were ended. */
const SWEEPS = 20;

/** What was found in a folder that is gone now. */
export interface RemovedFolder {
  readonly dir: string;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Refuse a crawl that somebody works on or that has not ended.
 *
 * @throws FRONTIER_CRAWL_STATE
 */
export async function refuseRunning(
  { client }: Pick<Engine, 'client'>,
  { crawlId, state }: CrawlStatus,
  dataDir?: string,
): Promise<void> {
  const hasParent = await isRunning(client, crawlId);
  if (FINAL_STATES.includes(state) && !hasParent) return;
  const how = hasParent ? '' : ' and was interrupted';
  throw new FrontierError(
    'FRONTIER_CRAWL_STATE',
    `crawl "${crawlId}" is ${state}${how}; stop it first (${commandLine(['stop', crawlId], dataDir)}) ` +
      'or give --force, which ends it and drops what is queued',
    { details: { crawlId, state } },
  );
}

/**
 * End a crawl that no worker has opened yet: there is its workflow and nothing else.
 */
export async function endUnopened(engine: Pick<Engine, 'client'>, crawlId: string): Promise<void> {
  await terminateLeft(engine.client, crawlId);
}

/**
 * End everything that runs for the crawl: the parent is cancelled, so that it ends its hosts; what
 * is left after some seconds (no worker runs) is terminated.
 *
 * @returns how many workflows were terminated
 */
export async function endWorkflows(
  { client, redis }: Pick<Engine, 'client' | 'redis'>,
  { crawlId, state }: CrawlStatus,
): Promise<number> {
  // Hosts obey the record at their next page, also where nobody can tell them.
  if (!FINAL_STATES.includes(state)) {
    await new RedisFrontier(redis, crawlId).setState('cancelled', 'cancelled');
  }
  const parent = client.workflow.getHandle(crawlWorkflowId(crawlId));
  if (await isRunning(client, crawlId)) {
    await ignoringGone(parent.cancel());
    await client.withDeadline(Date.now() + CANCEL_MS, () => parent.result()).catch(() => undefined);
  }
  let terminated = 0;
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const ended = await terminateLeft(client, crawlId);
    if (ended === 0) return terminated;
    terminated += ended;
  }
  return terminated;
}

async function terminateLeft(client: Client, crawlId: string): Promise<number> {
  // A crawl id has no quote or backslash in it.
  const query = `${CRAWL_ID_ATTRIBUTE} = '${crawlId}' AND ExecutionStatus = 'Running'`;
  let ended = 0;
  for await (const { workflowId } of client.workflow.list({ query })) {
    await ignoringGone(client.workflow.getHandle(workflowId).terminate('orbweaver delete --force'));
    ended += 1;
  }
  return ended;
}

async function isRunning(client: Client, crawlId: string): Promise<boolean> {
  const handle = client.workflow.getHandle(crawlWorkflowId(crawlId));
  const described = await ignoringGone(handle.describe());
  return described?.status.name === 'RUNNING';
}

async function ignoringGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/**
 * Remove the crawl's folder.
 *
 * @returns null where there is none
 * @throws OUTPUT_WRITE
 */
export async function removeFolder(dir: string): Promise<RemovedFolder | null> {
  try {
    const names = await readdir(dir);
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(dir, name))).size));
    await rm(dir, { recursive: true });
    return { dir, files: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OutputError(
      'OUTPUT_WRITE',
      `out: ${dir} can't be removed: ${(error as Error).message}; check who owns it`,
      { cause: error },
    );
  }
}
