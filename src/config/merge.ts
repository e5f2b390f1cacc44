/** Several sources of options made one: flags win over environment over config file. */

import { OPTION_CATALOGUE, valueFromText } from './catalogue.js';
import type { OptionOrigins } from './option-problems.js';

/** Options from one place, by dotted path (`delayMs`, `turn.maxPages`); unchecked. */
export interface OptionSource {
  readonly values: ReadonlyMap<string, unknown>;
  /** Where a value came from, for messages: `environment variable ORBWEAVER_DELAY_MS`. */
  readonly originOf: (path: string) => string;
}

/** What `resolveCrawlOptions` and `resolveAdjustments` take. */
export interface MergedOptions {
  /** Shaped like `CrawlOptions`, unchecked. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly origins: OptionOrigins;
}

/**
 * One input from up to three sources; each option comes whole from the first that gives it, lists
 * included, and only what no source gives is left to its default.
 */
export function mergeOptions(sources: {
  readonly flags?: OptionSource | undefined;
  readonly env?: OptionSource | undefined;
  readonly file?: OptionSource | undefined;
}): MergedOptions {
  const input: Record<string, unknown> = {};
  const origins = new Map<string, string>();
  for (const source of [sources.file, sources.env, sources.flags]) {
    for (const [path, value] of source?.values ?? []) {
      if (value === undefined) continue;
      place(input, path, value);
      origins.set(path, source?.originOf(path) ?? '');
    }
  }
  return { input, origins };
}

/**
 * Options from the command line, by dotted path; text is read by the option's kind, so that
 * `--limit 50` is a number and `--limit none` no limit.
 */
export function optionsFromFlags(flags: Readonly<Record<string, unknown>>): OptionSource {
  const values = new Map<string, unknown>();
  for (const [path, value] of Object.entries(flags)) {
    const entry = OPTION_CATALOGUE.find((candidate) => candidate.path === path);
    values.set(path, entry && typeof value === 'string' ? valueFromText(entry, value) : value);
  }
  const flagOf = (path: string): string =>
    OPTION_CATALOGUE.find((entry) => entry.path === path)?.flag ?? 'command line';
  return { values, originOf: (path) => (path === 'seeds' ? 'command line' : flagOf(path)) };
}

/** Options of an object such as a config file's; `turn` is taken apart so that it merges by field. */
export function optionsFromObject(
  options: Readonly<Record<string, unknown>>,
  origin: string,
): OptionSource {
  const values = new Map<string, unknown>();
  for (const [name, value] of Object.entries(options)) {
    if (name === 'turn' && isPlainObject(value)) {
      for (const [part, partValue] of Object.entries(value)) values.set(`turn.${part}`, partValue);
    } else values.set(name, value);
  }
  return { values, originOf: () => origin };
}

/** An object that is neither null nor a list. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function place(input: Record<string, unknown>, path: string, value: unknown): void {
  if (!path.startsWith('turn.')) {
    input[path] = value;
    return;
  }
  const turn = isPlainObject(input['turn']) ? input['turn'] : {};
  input['turn'] = { ...turn, [path.slice('turn.'.length)]: value };
}
