/**
 * Lua scripts: read from a folder, `--- @include "file"` lines replaced by the files they name
 * (each once), sent as EVALSHA.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Redis } from 'ioredis';
import { explainRedisError } from './connection.js';

/** A script that is ready to run. */
export interface Script {
  readonly file: string;
  readonly source: string;
  readonly sha: string;
}

/** What a script may answer. */
export type ScriptReply = string | number | null | ScriptReply[];

/**
 * Read a script and what it includes.
 *
 * @throws Error naming the chain of includes when a file is missing or includes itself
 */
export function loadScript(path: string): Script {
  const source = expand(path, [], new Set());
  return {
    file: path,
    source,
    sha: createHash('sha1').update(source).digest('hex'),
  };
}

function expand(path: string, chain: readonly string[], done: Set<string>): string {
  if (chain.includes(path)) {
    throw new Error(`Lua include cycle: ${[...chain, path].join(' -> ')}`);
  }
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`Lua file not readable: ${[...chain, path].join(' -> ')}`, { cause });
  }
  const inner = [...chain, path];
  const result = text.replace(/^--- @include "([^"]+)"\n?/gm, (_line, file: string) => {
    const included = join(dirname(path), file);
    return done.has(included) ? '' : expand(included, inner, done);
  });
  done.add(path);
  return result;
}

/**
 * Run a script.
 *
 * @throws FRONTIER_UNAVAILABLE (retryable) where Redis is away, full or busy
 */
export async function runScript(
  redis: Redis,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<ScriptReply> {
  try {
    return (await redis.evalsha(script.sha, keys.length, ...keys, ...args)) as ScriptReply;
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) {
      throw explainRedisError(error);
    }
  }
  try {
    return (await redis.eval(script.source, keys.length, ...keys, ...args)) as ScriptReply;
  } catch (error) {
    throw explainRedisError(error);
  }
}
