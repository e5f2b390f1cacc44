/** The complete state of a set of keys, and whether two states are the same but for the time. */
import type { Redis } from '../../../src/redis/connection.js';

/** Key → what it holds. */
export type StateDump = Readonly<Record<string, unknown>>;

/** Later than this, a number is a time in ms. */
const TIME_FROM = 1e12;
/** Times of two calls right after each other differ by less. */
const TIME_SLACK_MS = 5000;

/** Read every key that matches `pattern` (default: all), Bloom filters by their facts. */
export async function dumpState(redis: Redis, pattern = '*'): Promise<StateDump> {
  const state: Record<string, unknown> = {};
  for (const key of (await redis.keys(pattern)).sort()) state[key] = await readKey(redis, key);
  return state;
}

async function readKey(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  switch (type) {
    case 'string':
      return redis.get(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return (await redis.smembers(key)).sort();
    case 'zset':
      return pairs(await redis.zrange(key, '0', '-1', 'WITHSCORES'));
    case 'hash':
      return redis.hgetall(key);
    case 'MBbloom--':
      return redis.call('BF.INFO', key);
    default:
      throw new Error(`${key}: a ${type} can't be dumped`);
  }
}

function pairs(flat: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let n = 0; n < flat.length; n += 2) record[flat[n]!] = flat[n + 1]!;
  return record;
}

/** What differs between two states, path by path; times may differ a little. */
export function differences(before: unknown, after: unknown, path = ''): string[] {
  if (before === after || areSameTime(before, after)) return [];
  if (isJson(before) && isJson(after)) {
    return differences(JSON.parse(before), JSON.parse(after), path);
  }
  if (isNested(before) && isNested(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => differences(before[name], after[name], `${path}/${name}`));
  }
  return [`${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`];
}

function isJson(value: unknown): value is string {
  return typeof value === 'string' && /^[[{]/.test(value);
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function areSameTime(before: unknown, after: unknown): boolean {
  const [a, b] = [Number(before), Number(after)];
  return a > TIME_FROM && b > TIME_FROM && Math.abs(a - b) < TIME_SLACK_MS;
}
