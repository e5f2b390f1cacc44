import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string };
  readonly command?: string | string[];
  readonly container_name?: string;
  readonly ports?: unknown[];
  readonly healthcheck?: { readonly test: string[] };
  readonly volumes?: unknown[];
  readonly environment?: Record<string, string>;
}

interface Config {
  readonly services: Record<string, Service>;
  readonly volumes: Record<string, unknown>;
}

/** The file as docker-compose understands it; undefined where no docker-compose is installed. */
function composeConfig(): Config | undefined {
  for (const command of [['docker-compose'], ['docker', 'compose']]) {
    const [program = '', ...args] = command;
    try {
      execFileSync(program, [...args, 'version'], { stdio: 'ignore' });
    } catch {
      continue;
    }
    // What it says about a file that it refuses is the failure's message.
    const text = execFileSync(program, [...args, 'config'], { cwd: root, encoding: 'utf8' });
    return parse(text) as Config;
  }
  return undefined;
}

const config = composeConfig();
const why = config ? '' : ' (left out: neither docker-compose nor docker compose is installed)';

describe.skipIf(!config)(`docker-compose.yml, read by docker-compose config${why}`, () => {
  const services = config?.services ?? {};
  const words = (name: string): string => [services[name]?.command ?? []].flat().join(' ');

  it('has Temporal with PostgreSQL and a web UI, Redis 8, and workers of both roles', () => {
    expect(Object.keys(services)).toEqual(
      expect.arrayContaining([
        'postgresql',
        'temporal',
        'temporal-ui',
        'redis',
        'workflow-worker',
        'fetch-worker',
      ]),
    );
    expect(services['redis']?.image).toMatch(/^redis:8/);
    expect(words('workflow-worker')).toBe('worker --role workflow');
    expect(words('fetch-worker')).toBe('worker --role fetch');
  });

  it.each(['workflow-worker', 'fetch-worker'])('%s can be scaled by itself (C6)', (name) => {
    // A fixed name or a published port would stop the second one.
    expect(services[name]?.container_name).toBeUndefined();
    expect(services[name]?.ports).toBeUndefined();
    expect(services[name]?.build?.context).toBe(root.replace(/\/$/, ''));
    expect(services[name]?.environment).toMatchObject({
      TEMPORAL_ADDRESS: 'temporal:7233',
      REDIS_URL: 'redis://redis:6379',
    });
  });

  it.each(['postgresql', 'temporal', 'redis', 'workflow-worker', 'fetch-worker'])(
    '%s has a health check',
    (name) => {
      expect(services[name]?.healthcheck?.test.length).toBeGreaterThan(1);
    },
  );

  it('Redis never evicts and keeps AOF and RDB on a volume (F9, Q4)', () => {
    expect(words('redis')).toMatch(/^redis-server /);
    for (const option of [
      '--appendonly yes',
      '--appendfsync everysec',
      '--save 3600 1 300 100 60 10000',
      '--maxmemory-policy noeviction',
    ]) {
      expect(words('redis')).toContain(option);
    }
    expect(services['redis']?.volumes).toHaveLength(1);
    expect(services['postgresql']?.volumes).toHaveLength(1);
  });

  it('publishes ports on loopback only', () => {
    for (const [name, service] of Object.entries(services)) {
      for (const port of service.ports ?? []) {
        expect(JSON.stringify(port), name).toContain('127.0.0.1');
      }
    }
  });
});

describe('Dockerfile', () => {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n');

  it('copies only what .dockerignore lets through', () => {
    const sent = readFileSync(join(root, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1))
      .map((path) => path.replace('./', ''));
    expect(copied.sort()).toEqual(sent.sort());
  });

  it('builds and runs on a Node that package.json admits, and not as root', () => {
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      engines: { node: string };
    };
    const lowest = Number(/\d+/.exec(engines.node)?.[0]);
    const bases = lines.filter((line) => line.startsWith('FROM '));
    expect(bases).toHaveLength(2);
    for (const base of bases) {
      expect(Number(/node:(\d+)/.exec(base)?.[1])).toBeGreaterThanOrEqual(lowest);
    }
    expect(lines.filter((line) => line.startsWith('USER '))).toEqual(['USER node']);
  });
});
