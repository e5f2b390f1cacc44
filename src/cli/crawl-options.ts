/** A new crawl's options from flags, environment and config file, all problems said at once. */
import { resolve } from 'node:path';
import { optionsFromEnvironment } from '../config/env.js';
import { optionsFromFile } from '../config/file.js';
import { mergeOptions } from '../config/merge.js';
import { resolveCrawlOptions } from '../config/resolve.js';
import { namesContact } from '../config/user-agent.js';
import type { CrawlSettings } from '../contracts/settings.js';
import type { CliContext } from './context.js';
import { optionsOfFlags } from './option-flags.js';

/** What the command line gave. */
export interface GivenOptions {
  readonly seeds: readonly string[];
  /** `--config`. */
  readonly config?: string | undefined;
  readonly seedsFile?: string | undefined;
  /** All that commander parsed. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** A crawl's options as its workflow takes them, and as they will be. */
export interface NewCrawlOptions {
  readonly seeds: readonly string[];
  /** In the user's spelling, without seeds; `out` is absolute. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly settings: CrawlSettings;
}

/** Stands in for the seeds of a file, which are checked one by one. */
const UNCHECKED_SEED = 'http://seeds.invalid/';

/**
 * @throws CONFIG_INVALID_OPTION, CONFIG_UNKNOWN_OPTION, CONFIG_INVALID_FILE
 */
export async function gatherCrawlOptions(
  ctx: Pick<CliContext, 'env' | 'cwd'>,
  given: GivenOptions,
): Promise<NewCrawlOptions> {
  const env = optionsFromEnvironment(ctx.env);
  const fromEnv = ctx.env['ORBWEAVER_CONFIG']?.trim();
  const path = given.config ?? (fromEnv === '' ? undefined : fromEnv);
  const file = await optionsFromFile({ path, cwd: ctx.cwd });
  // Seeds that are named here replace those of environment and config file.
  const named = given.seeds.length > 0 || given.seedsFile !== undefined;
  const stand = given.seeds.length > 0 ? given.seeds : [UNCHECKED_SEED];
  const flags = optionsOfFlags(given.values, named ? { seeds: stand } : {});
  const { input, origins } = mergeOptions({ flags, env, file });
  const { seeds, settings } = resolveCrawlOptions(input, origins);
  const out = resolve(ctx.cwd, settings.out);
  return {
    seeds: named && given.seeds.length === 0 ? [] : seeds,
    options: { ...without(input, 'seeds'), out },
    settings: { ...settings, out },
  };
}

function without(input: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([key]) => key !== name));
}

/** What somebody should know before a crawl begins. */
export function crawlNotices(settings: CrawlSettings): string[] {
  const notices: string[] = [];
  if (!namesContact(settings.userAgent)) {
    notices.push(
      `the user agent "${settings.userAgent}" names no contact; give one to crawl sites of others: ` +
        '--user-agent "mybot/1.0 (+https://example.com/bot)"',
    );
  }
  if (settings.robots === 'ignore') {
    notices.push('robots.txt is ignored (--robots ignore): do so on your own sites only');
  }
  return notices;
}
