/** What doctor looks at, one check after another: each ends in a line, none in a stack trace. */
import { resolve } from 'node:path';
import { optionsFromEnvironment } from '../config/env.js';
import { optionsFromFile } from '../config/file.js';
import { VERSION } from '../config/version.js';
import { DEFAULT_TASK_QUEUE, fetchQueue } from '../contracts/task-queues.js';
import { CRAWL_ID_ATTRIBUTE } from '../contracts/workflow-ids.js';
import type { CliContext, ServerFlags } from './context.js';
import { formatBytes } from './display/format.js';
import { connectEngine, type Engine } from './engine.js';
import { probeOutputFolder } from './output-folder.js';
import { redisChecks } from './redis-fitness.js';
import { hasSearchAttribute } from './search-attribute.js';

/** One finding. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do; only where it is not ok. */
  readonly remedy?: string;
}

/** Node's oldest version that package.json allows. */
const MIN_NODE = [20, 19] as const;
const LOW_DISK_BYTES = 1024 ** 3;

/** All checks, in the order in which a person would make them. */
export async function runChecks(
  ctx: CliContext,
  flags: ServerFlags & { readonly out?: string },
): Promise<Check[]> {
  const checks = [nodeCheck(process.versions.node), { ...ok('orbweaver', VERSION) }];
  checks.push(await guarded('configuration', () => configCheck(ctx)));
  checks.push(
    await guarded('output folder', () => folderCheck(resolve(ctx.cwd, flags.out ?? 'out'))),
  );
  let engine: Engine;
  try {
    engine = await connectEngine(ctx, { ...flags, needsServers: true, register: false });
  } catch (error) {
    return [...checks, failed('servers', error)];
  }
  try {
    const whose = engine.isEmbedded ? `embedded in ${engine.dataDir}` : 'your own';
    checks.push(
      ok('servers', `Temporal ${engine.temporalAddress}, Redis ${engine.redisDisplay} (${whose})`),
    );
    checks.push(await guarded('Temporal', () => temporalCheck(engine)));
    checks.push(await guarded('search attribute', () => attributeCheck(engine)));
    checks.push(await guarded('workers', () => workersCheck(engine)));
    const redis = await redisChecks(engine.redis).catch((error: unknown) => [
      failed('Redis', error),
    ]);
    return [...checks, ...redis];
  } finally {
    await engine.close();
  }
}

/** @param version such as `20.19.1` */
export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1]);
  if (!isOld) return ok('Node.js', version);
  return {
    ...ok('Node.js', version),
    status: 'fail',
    remedy: `use Node.js ${MIN_NODE.join('.')} or later`,
  };
}

async function configCheck(ctx: CliContext): Promise<Check> {
  const env = optionsFromEnvironment(ctx.env);
  const named = ctx.env['ORBWEAVER_CONFIG']?.trim();
  const file = await optionsFromFile({ path: named === '' ? undefined : named, cwd: ctx.cwd });
  const where = file === undefined ? 'no config file' : file.path;
  return ok('configuration', `${where}, ${env.values.size} options from the environment`);
}

async function folderCheck(path: string): Promise<Check> {
  const free = await probeOutputFolder(path, { isLookOnly: true });
  const check = ok('output folder', `${path}, ${formatBytes(free)} free`);
  if (free >= LOW_DISK_BYTES) return check;
  return { ...check, status: 'warn', remedy: 'free some disk space, or name another --out' };
}

async function temporalCheck({ connection, namespace }: Engine): Promise<Check> {
  const { serverVersion } = await connection.workflowService.getSystemInfo({});
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  const days = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / 86_400;
  const kept = days >= 1 ? `${Math.round(days)} days` : `${Math.round(days * 24)} h`;
  return ok('Temporal', `server ${serverVersion ?? '?'}, namespace ${namespace}, keeps ${kept}`);
}

async function attributeCheck(engine: Engine): Promise<Check> {
  const check = ok('search attribute', `${CRAWL_ID_ATTRIBUTE} (Keyword)`);
  if (await hasSearchAttribute(engine)) return check;
  return {
    ...check,
    status: engine.isEmbedded ? 'fail' : 'warn',
    detail: `${CRAWL_ID_ATTRIBUTE} is missing in namespace ${engine.namespace}`,
    remedy:
      'crawl and worker add it where they may; else: temporal operator search-attribute create ' +
      `--namespace ${engine.namespace} --name ${CRAWL_ID_ATTRIBUTE} --type Keyword`,
  };
}

/** Crawls that `orbweaver crawl` starts bring their workers: none is no fault. */
async function workersCheck({ connection, namespace }: Engine): Promise<Check> {
  const pollers = async (name: string, taskQueueType: 1 | 2): Promise<number> => {
    const reply = await connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name },
      taskQueueType,
    });
    return new Set((reply.pollers ?? []).map(({ identity }) => identity)).size;
  };
  const deciding = await pollers(DEFAULT_TASK_QUEUE, 1);
  const fetching = await pollers(fetchQueue(DEFAULT_TASK_QUEUE), 2);
  return ok('workers', `${deciding} for workflows, ${fetching} for fetches seen lately`);
}

function ok(name: string, detail: string): Check {
  return { name, status: 'ok', detail };
}

function failed(name: string, error: unknown): Check {
  const message = error instanceof Error ? error.message : String(error);
  return { name, status: 'fail', detail: message, remedy: REMEDIES[name] ?? 'see the message' };
}

const REMEDIES: Readonly<Record<string, string>> = {
  configuration: 'correct what the message names',
  'output folder': 'name a folder that you may write: --out',
  servers: 'start them, correct their addresses, or unset these to use embedded ones',
  Temporal: 'check the namespace and the permissions of this client',
  workers: 'check the permissions of this client',
  Redis: 'check address, user and password in REDIS_URL',
};

async function guarded(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    return failed(name, error);
  }
}
