/** Options from the environment: every option has a variable, and a mistyped one is an error. */

import { OPTION_CATALOGUE, environmentName, valueFromText } from './catalogue.js';
import { nearestName, problemsError, type OptionProblem } from './problems.js';
import type { OptionSource } from './merge.js';

/** Variables that belong to a process, not to a crawl; read by whoever needs them. */
export const PROCESS_VARIABLES: Readonly<Record<string, string>> = {
  ORBWEAVER_CONFIG: 'config file to read instead of searching for one',
  ORBWEAVER_DATA_DIR: 'folder of the servers that orbweaver starts itself',
  ORBWEAVER_UI_URL: 'web UI of a Temporal of your own, for the links that are shown',
  ORBWEAVER_DEBUG: 'any value: errors are shown with their stack',
  ORBWEAVER_TEMPORAL_BIN: 'Temporal CLI to start as the dev server',
  ORBWEAVER_REDIS_BIN: 'redis-server to start',
  ORBWEAVER_REDIS_MODULES: 'modules that this redis-server loads, such as redisbloom.so',
};

/**
 * Options among `ORBWEAVER_*`. An empty variable counts as not set. Lists are separated by white
 * space, limits take `none`. Variables of others (`REDIS_URL`, `TEMPORAL_*`) are not looked at.
 *
 * @throws CONFIG_UNKNOWN_OPTION with all unknown names at once
 */
export function optionsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): OptionSource {
  const byName = new Map(OPTION_CATALOGUE.map((entry) => [environmentName(entry.path), entry]));
  const values = new Map<string, unknown>();
  const problems: OptionProblem[] = [];
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith('ORBWEAVER_') || text === undefined) continue;
    const entry = byName.get(name);
    if (entry !== undefined) {
      if (text.trim() !== '') values.set(entry.path, valueFromText(entry, text));
    } else if (!Object.hasOwn(PROCESS_VARIABLES, name)) {
      problems.push(unknownVariable(name));
    }
  }
  if (problems.length > 0) throw problemsError(problems);
  return { values, originOf: (path) => `environment variable ${environmentName(path)}` };
}

function unknownVariable(name: string): OptionProblem {
  const near = nearestVariable(name);
  const remedy = near === undefined ? 'docs/options.md lists them.' : `did you mean ${near}?`;
  const message = `${name}: expected a variable that orbweaver knows; ${remedy} Otherwise unset it`;
  return { field: name, message, kind: 'unknown' };
}

/** Also people who write a flag's name for a variable's find it: ORBWEAVER_LIMIT → …_MAX_PAGES. */
function nearestVariable(name: string): string | undefined {
  const options = OPTION_CATALOGUE.flatMap(({ path, flag }) => [
    [environmentName(flag.slice(2).replaceAll('-', '_')), environmentName(path)] as const,
    [environmentName(path), environmentName(path)] as const,
  ]);
  const own = Object.keys(PROCESS_VARIABLES).map((known) => [known, known] as const);
  const names = new Map([...options, ...own]);
  return names.get(nearestName(name, [...names.keys()]) ?? '');
}
