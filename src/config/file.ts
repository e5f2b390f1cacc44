/** Options from a config file: found by name from the working folder upwards, or named. */

import { homedir } from 'node:os';
import { basename, relative, resolve } from 'node:path';
import { lilconfig } from 'lilconfig';
import { parse as parseYaml } from 'yaml';
import { ConfigError } from '../errors.js';
import { isPlainObject, optionsFromObject, type OptionSource } from './merge.js';

/** Names that are looked for, in this order, in each folder. */
export const CONFIG_FILE_NAMES = [
  'orbweaver.config.json',
  'orbweaver.config.yaml',
  'orbweaver.config.yml',
  '.orbweaverrc',
  'package.json',
] as const;

/** A config file that was read. */
export interface ConfigFile extends OptionSource {
  readonly path: string;
}

/**
 * Read options from `path`, or from the first file found in `cwd` and the folders above it, up to
 * the home folder (the root, where `cwd` is not below it). Names and values of options are checked
 * later, with those of the other sources; messages then name this file.
 *
 * @param file.path explicit file (JSON or YAML); one that can't be read is an error
 * @returns undefined where none is found
 * @throws CONFIG_INVALID_FILE
 */
export async function optionsFromFile(
  file: { readonly path?: string | undefined; readonly cwd?: string | undefined } = {},
): Promise<ConfigFile | undefined> {
  const cwd = file.cwd ?? process.cwd();
  const explicit = file.path === undefined ? undefined : resolve(cwd, file.path);
  const found = await load(explicit, cwd);
  if (found === null) return undefined;
  const name = relative(cwd, found.filepath);
  const shown = name.startsWith('..') ? found.filepath : name;
  const content: unknown = found.isEmpty ? {} : (found.config ?? {});
  if (!isPlainObject(content)) {
    throw new ConfigError(
      'CONFIG_INVALID_FILE',
      `${shown}: expected an object with options, got ${Array.isArray(content) ? 'a list' : typeof content}; ` +
        'write it like { "seeds": ["https://example.com/"], "maxPages": 1000 }',
      { details: { file: found.filepath } },
    );
  }
  return { path: found.filepath, ...optionsFromObject(content, shown) };
}

async function load(explicit: string | undefined, cwd: string) {
  // Each file is named in its own loader's error; a search may meet several.
  let current = explicit ?? cwd;
  const reading =
    (parse: (content: string) => unknown) =>
    (path: string, content: string): unknown => {
      current = path;
      if (explicit === undefined && basename(path) === 'package.json') return manifest(content);
      return content.trim() === '' ? {} : parse(content.replace(/^\uFEFF/, ''));
    };
  // YAML takes JSON too; for .json the strict parser gives the plainer message.
  const yaml = reading((content) => parseYaml(content) as unknown);
  const searcher = lilconfig('orbweaver', {
    cache: false,
    searchPlaces: [...CONFIG_FILE_NAMES],
    stopDir: homedir(),
    loaders: {
      '.json': reading((content) => JSON.parse(content) as unknown),
      '.yaml': yaml,
      '.yml': yaml,
      noExt: yaml,
    },
  });
  try {
    return explicit === undefined ? await searcher.search(cwd) : await searcher.load(explicit);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      'CONFIG_INVALID_FILE',
      `${current}: expected a readable JSON or YAML file (${CONFIG_FILE_NAMES.join(', ')}), got ` +
        `"${reason.split('\n')[0] ?? ''}"; correct the file or name another one`,
      { cause: error, details: { file: current } },
    );
  }
}

/** A package.json on the way up belongs to somebody else: a broken one is no error of ours. */
function manifest(content: string): unknown {
  try {
    const parsed: unknown = JSON.parse(content);
    return isPlainObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
