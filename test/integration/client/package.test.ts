/** The package as others get it: packed, unpacked in a project of theirs, used through its exports. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startSyntheticWeb, type SyntheticWeb } from '../../support/synthetic-web/start.js';

const run = promisify(execFile);
const ROOT = resolve('.');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const TSX = join(ROOT, 'node_modules/tsx/dist/cli.mjs');
const taskQueue = `own-${randomUUID()}`;

let project: string;
let web: SyntheticWeb;
let worker: ChildProcess | undefined;

/** Types must be there and must not be `any`: each marked line fails to compile without its error. */
const CONSUMER = `
import { CrawlClient, CrawlError, type CrawlResult, type HostStatus } from 'orbweaver';
import { CrawlClient as FromSubpath } from 'orbweaver/client';
import { crawlWorkflow, hostWorkflow, readCrawlWorkflow } from 'orbweaver/workflows';
import { createFetchActivities, createFrontierActivities } from 'orbweaver/activities';
import { compose, fetchQueue, frontierQueue, startWorkers } from 'orbweaver/worker';

export const same: typeof CrawlClient = FromSubpath;
export const parts = [crawlWorkflow, hostWorkflow, readCrawlWorkflow, createFetchActivities,
  createFrontierActivities, compose, startWorkers];
export const queues: string[] = [fetchQueue('q'), frontierQueue('q')];
export async function use(client: CrawlClient): Promise<HostStatus[]> {
  const crawl = await client.start({ seeds: ['https://example.com/'], maxPages: 5 });
  // @ts-expect-error misspelt option
  await client.start({ seeds: [], maxPage: 5 });
  // @ts-expect-error fixed once a crawl has started
  await crawl.adjust({ scope: 'any' });
  const result: CrawlResult = await crawl.result();
  // @ts-expect-error no such state
  if (result.state === 'asleep') throw new CrawlError('FRONTIER_CRAWL_STATE', 'x');
  const hosts: HostStatus[] = [];
  for await (const host of crawl.eachHost()) hosts.push(host);
  return hosts;
}
`;

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['*.ts', 'basic', 'own-worker'],
};

beforeAll(async () => {
  // Nothing to do where npm test has just built it.
  await run(process.execPath, [TSX, 'scripts/build.ts'], { cwd: ROOT });
  project = mkdtempSync(join(tmpdir(), 'orbweaver-consumer-'));
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', project], {
    cwd: ROOT,
  });
  const [tarball] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'orbweaver'), { recursive: true });
  await run('tar', ['-xzf', tarball!, '-C', 'node_modules/orbweaver', '--strip-components=1'], {
    cwd: project,
  });
  linkDependencies(modules);
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'consumer', type: 'module' }),
  );
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  writeFileSync(join(project, 'consumer.ts'), CONSUMER);
  for (const example of ['basic', 'own-worker']) {
    cpSync(join(ROOT, 'examples', example), join(project, example), { recursive: true });
  }
  web = await startSyntheticWeb({
    hosts: 2,
    pagesPerHost: 4,
    features: 'none',
    domain: 'packed.test',
  });
}, 180_000);

afterAll(async () => {
  if (worker?.exitCode === null) {
    worker.kill('SIGTERM');
    await once(worker, 'exit');
  }
  await web.stop();
  rmSync(project, { recursive: true, force: true });
});

/** What npm would install beside the package: the versions that this repository has. */
function linkDependencies(modules: string): void {
  const from = join(ROOT, 'node_modules');
  const names = readdirSync(from)
    .filter((name) => !name.startsWith('.') && name !== 'orbweaver')
    .flatMap((name) =>
      name.startsWith('@')
        ? readdirSync(join(from, name)).map((part) => `${name}/${part}`)
        : [name],
    );
  for (const name of names) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(from, name), join(modules, name));
  }
}

const env = () => ({
  ...process.env,
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  TEMPORAL_TASK_QUEUE: taskQueue,
  REDIS_URL: inject('redisUrl'),
});

const options = () =>
  JSON.stringify({
    scope: 'any',
    delayMs: 0,
    allowPrivate: true,
    mapHosts: [web.mapHosts],
    out: join(project, 'out'),
  });

/** Start the worker of the example and wait until it says that it serves. */
async function startOwnWorker(): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'own-worker/worker.ts'], {
    cwd: project,
    env: env(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  worker = child;
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('workers serve')) continue;
    child.stdout.resume();
    return;
  }
  throw new Error(`the worker ended: ${stderr}`);
}

describe('the packed package (C6)', () => {
  it('compiles in a project of others, the examples too', async () => {
    const { stdout } = await run(process.execPath, [TSC, '-p', project]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  }, 120_000);

  it('runs in a worker of others, beside a workflow and an activity of theirs', async () => {
    await startOwnWorker();
    const { stdout } = await run(
      process.execPath,
      ['--import', 'tsx', 'own-worker/start.ts', 'own-crawl', web.seedUrl, '--options', options()],
      { cwd: project, env: env() },
    );
    expect(stdout).toContain('own-crawl is over (completed): 8 pages, 0 failed');
  }, 120_000);

  it('starts a crawl, watches it and prints hosts and result, as the basic example shows', async () => {
    const { stdout } = await run(
      process.execPath,
      ['--import', 'tsx', 'basic/start-crawl.ts', web.seedUrl, '--options', options()],
      { cwd: project, env: env() },
    );
    expect(stdout).toMatch(/^started site-000\.packed\.test-/);
    expect(stdout).toContain('site-001.packed.test: 4 fetched, 0 failed');
    expect(stdout).toMatch(/completed: 8 pages in \d+ s\n$/);
  }, 120_000);
});
