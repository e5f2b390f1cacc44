/** Is this Redis fit to hold a frontier (Q4)? Asked before crawls and workers start, and by doctor. */
import { ConfigError } from '../errors.js';
import {
  checkRedisServer,
  judgeServer,
  type ServerFinding,
  type ServerNeeds,
} from '../redis/server-check.js';
import { readServerFacts, type ServerFacts } from '../redis/server-facts.js';
import type { Redis } from '../redis/connection.js';
import type { Check } from './doctor-checks.js';
import { formatBytes } from './display/format.js';
import type { Engine } from './engine.js';

/**
 * Refuse a Redis that would lose URLs; say what could be better.
 *
 * @throws CONFIG_SERVER_UNFIT naming every error and its remedy; FRONTIER_UNAVAILABLE
 */
export async function requireFitRedis(
  engine: Pick<Engine, 'redis' | 'redisDisplay'>,
  needs: ServerNeeds,
  say: (line: string) => void,
): Promise<void> {
  const findings = await checkRedisServer(engine.redis, needs);
  for (const { level, message } of findings) {
    if (level === 'warning') say(`warning: ${engine.redisDisplay}: ${message}`);
  }
  const errors = findings.filter(({ level }) => level === 'error');
  if (errors.length === 0) return;
  throw new ConfigError(
    'CONFIG_SERVER_UNFIT',
    `REDIS_URL: ${engine.redisDisplay} is not fit to hold a crawl:\n${errors.map(({ message }) => `- ${message}`).join('\n')}`,
    { details: { failed: errors.map(({ check }) => check) } },
  );
}

/** @throws FRONTIER_UNAVAILABLE */
export async function redisChecks(redis: Redis): Promise<Check[]> {
  const facts = await readServerFacts(redis);
  return judgedChecks(facts, judgeServer(facts));
}

/** One line for the server, then one per finding. Pure. */
export function judgedChecks(facts: ServerFacts, findings: readonly ServerFinding[]): Check[] {
  const limit = facts.maxBytes === 0 ? 'no limit' : `of ${formatBytes(facts.maxBytes)}`;
  const detail = [
    facts.version,
    facts.role,
    facts.evictionPolicy,
    facts.isAofOn ? `AOF ${facts.appendfsync ?? 'on'}` : 'no AOF',
    facts.hasBloom ? 'BF.*' : 'no BF.*',
    `${formatBytes(facts.usedBytes)} used, ${limit}`,
  ].join(', ');
  const levels = new Set(findings.map(({ level }) => level));
  const status = levels.has('error') ? 'fail' : levels.has('warning') ? 'warn' : 'ok';
  return [
    { name: 'Redis', status, detail },
    ...findings.map(({ level, check, message }): Check => {
      const [what, ...rest] = message.split(/; /);
      const remedy = rest.join('; ');
      return {
        name: `Redis ${check}`,
        status: level === 'error' ? 'fail' : 'warn',
        detail: what ?? message,
        ...(remedy === '' ? {} : { remedy }),
      };
    }),
  ];
}
