/** What all provisioning needs, and the one error that it ends in. */
import { ConfigError } from '../errors.js';

/** Where provisioned executables are kept and who hears of it. */
export interface ProvisionOptions {
  /** One line per step, for a person: "Redis: downloading …". */
  readonly report: (line: string) => void;
  /** Cache of provisioned executables, one directory per exact version. */
  readonly cacheDir: string;
  /** Default: process.env. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The same options with each line under the name of what is provisioned. */
export function reportingFor(name: string, options: ProvisionOptions): ProvisionOptions {
  return { ...options, report: (line) => options.report(`${name}: ${line}`) };
}

/** The error for a server that is nowhere: all that was tried, and what to install. */
export function unavailable(
  what: string,
  failures: readonly string[],
  remedy: string,
): ConfigError {
  const tried = failures.map((failure) => `  - ${failure}`).join('\n');
  return new ConfigError(
    'CONFIG_SERVER_UNAVAILABLE',
    `No ${what} found on this machine (${process.platform} ${process.arch}). Tried:\n${tried}\n${remedy}`,
    { details: { tried: failures } },
  );
}
