/**
 * A connection that loses every script's first reply, as far as the server can tell: each script is
 * sent a second time with the same arguments, and that must change nothing.
 */
import { basename } from 'node:path';
import { SCRIPTS } from '../../../src/frontier/scripts.js';
import type { Redis } from '../../../src/redis/connection.js';
import { differences, dumpState } from './state-dump.js';

const NAMES = new Map<string, string>();
for (const { sha, source, file } of Object.values(SCRIPTS)) {
  NAMES.set(sha, basename(file, '.lua'));
  NAMES.set(source, basename(file, '.lua'));
}

/** What was repeated. */
export interface Repetitions {
  /** `<script>: <status>` of each reply that was repeated. */
  readonly seen: Set<string>;
  /** What a repetition changed, in words. */
  readonly faults: string[];
}

let turn: Promise<unknown> = Promise.resolve();

/** Nobody else may change the keys while a script is repeated. */
function oneAtATime<T>(act: () => Promise<T>): Promise<T> {
  const result = turn.then(act, act);
  turn = result;
  return result;
}

/** @param pattern the keys that are compared: those that the test owns */
export function doubledRedis(redis: Redis, pattern: string, repetitions: Repetitions): Redis {
  const run = async (command: 'evalsha' | 'eval', args: [string, ...unknown[]]) => {
    const send = () =>
      redis[command](...(args as Parameters<Redis['evalsha']>)) as Promise<unknown>;
    const name = NAMES.get(args[0]) ?? 'unknown';
    const first = await send();
    const before = await dumpState(redis, pattern);
    const second = await send();
    if (hasTimePassed(name, first, second)) return second;
    const label = `${name}: ${String(Array.isArray(first) ? first[0] : first)}`;
    repetitions.seen.add(label);
    for (const change of differences(before, await dumpState(redis, pattern))) {
      repetitions.faults.push(`${label}, repeated, changes ${change}`);
    }
    return first;
  };
  return new Proxy(redis, {
    get(target, property, receiver) {
      if (property === 'evalsha' || property === 'eval') {
        return (...args: [string, ...unknown[]]) => oneAtATime(() => run(property, args));
      }
      const value: unknown = Reflect.get(target, property, receiver);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/**
 * Between the two, a host became overdue, a gate opened, a retry fell due, a parent was silent for
 * too long.
 */
function hasTimePassed(name: string, first: unknown, second: unknown): boolean {
  if (!Array.isArray(first) || !Array.isArray(second)) return false;
  if (name === 'next-hosts') return Array.isArray(first[9]) && first[9].length === 0;
  if (name === 'gate-ask') return first[0] === 'wait' && second[0] === 'granted';
  if (first[0] === 'wait' && first[3] === 'retry' && second[0] === 'lease') return true;
  return second[2] === 'parentSilent' && first[2] !== 'parentSilent';
}
