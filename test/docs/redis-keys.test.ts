/** docs/redis-keys.md names every key and every field of a hash that the scripts use. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scriptLimits } from '../../src/frontier/crawl-changes.js';
import { BORN_KEY, CRAWLS_KEY, EXPIRING_KEY, gateKey, shardKeys } from '../../src/frontier/keys.js';
import { SCRIPTS } from '../../src/frontier/scripts.js';
import { crawlSettings } from '../support/frontier/builders.js';

const page = readFileSync(
  fileURLToPath(new URL('../../docs/redis-keys.md', import.meta.url)),
  'utf8',
);

/** What the keys of a shard end in, by field of ShardKeys. */
function keyNames(): string[] {
  const keys = shardKeys('x');
  return Object.entries(keys)
    .filter(([field]) => field !== 'prefix')
    .map(([, key]) => String(key).slice(keys.prefix.length));
}

/** Arguments of a call, from the character after its opening parenthesis. */
function argumentsAt(source: string, start: number): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < source.length; at += 1) {
    const letter = source[at]!;
    if (letter === '(' || letter === '{') depth += 1;
    else if ((letter === ')' || letter === '}') && depth > 0) depth -= 1;
    else if ((letter === ',' || letter === ')') && depth === 0) {
      found.push(source.slice(from, at).trim());
      if (letter === ')') return found;
      from = at + 1;
    }
  }
  throw new Error('a call is not closed');
}

/** Which arguments after the key are fields, by command. */
const FIELDS: Record<string, (n: number) => boolean> = {
  HSET: (n) => n % 2 === 0,
  HMGET: () => true,
  HDEL: () => true,
  HGET: (n) => n === 0,
  HEXISTS: (n) => n === 0,
  HINCRBY: (n) => n === 0,
  HSETNX: (n) => n === 0,
};

/** Literal names of hash fields in a script; of `'skip:' .. reason` the part that is literal. */
function fieldsOf(source: string): string[] {
  const fields: string[] = [];
  for (const call of source.matchAll(/redis\.call\('(H[A-Z]+)', ?/g)) {
    const isField = FIELDS[call[1]!];
    if (!isField) continue;
    const [, ...values] = argumentsAt(source, call.index + call[0].length);
    values.forEach((value, n) => {
      const literal = /^'([^']+)'/.exec(value)?.[1];
      if (isField(n) && literal !== undefined) fields.push(literal);
    });
  }
  return fields;
}

const isNamed = (name: string): boolean => page.includes(`\`${name}\``);

describe('docs/redis-keys.md', () => {
  it.each(keyNames())('names the key …%s of a crawl', (name) => {
    expect(page).toMatch(new RegExp(`^\\| \`ow:\\{…\\}:${name}[\`<]`, 'm'));
  });

  it.each([CRAWLS_KEY, EXPIRING_KEY, BORN_KEY, gateKey('<host key>')])('names %s', (key) => {
    expect(isNamed(key)).toBe(true);
  });

  it.each(Object.entries(SCRIPTS))('names every field that %s uses', (_name, script) => {
    const missing = [...new Set(fieldsOf(script.source))].filter((field) => !isNamed(field));
    expect(missing).toEqual([]);
  });

  it('names the limits that are copied for scripts', () => {
    expect(Object.keys(scriptLimits(crawlSettings())).filter((name) => !isNamed(name))).toEqual([]);
  });

  it('is checked against fields that are really found', () => {
    const all = new Set(Object.values(SCRIPTS).flatMap((script) => fieldsOf(script.source)));
    expect(all.size).toBeGreaterThan(40);
    expect([...all]).toEqual(
      expect.arrayContaining(['v', 'lease', 'wants', 'skip:', 'heldUntil', 'recountTo']),
    );
  });
});
