/**
 * Every Redis key of the engine. All keys of a crawl's shard share one hash tag, so that one script
 * may touch them; a gate belongs to no crawl and has a slot of its own. docs/redis-keys.md lists them.
 */

/** Keys of one shard of a crawl. */
export interface ShardKeys {
  readonly crawl: string;
  readonly totals: string;
  readonly seen: string;
  readonly pending: string;
  readonly running: string;
  readonly placed: string;
  readonly lingering: string;
  readonly hosts: string;
  readonly domains: string;
  readonly nomination: string;
  readonly deadLetters: string;
  /** Prefix of all keys of the shard, for clean-up. */
  readonly prefix: string;
  readonly hostPrefix: string;
  readonly queuePrefix: string;
  readonly duePrefix: string;
  readonly robotsPrefix: string;
  /** Texts of a host's pages. */
  readonly alikePrefix: string;
  /** Bitmap of the texts that a host's table forgot. */
  readonly forgottenPrefix: string;
  /** URLs that are held back as traps. */
  readonly trapped: string;
  /** URLs that the scope is measured from. */
  readonly roots: string;
}

/** Keys of shard `shard` (default 0: a crawl of one shard) of a crawl. */
export function shardKeys(crawlId: string, shard = 0): ShardKeys {
  // A brace would end the hash tag early and let one crawl's keys begin like another's.
  const name = crawlId.replace(/[%{}]/g, (letter) => encodeURIComponent(letter));
  const prefix = `ow:{${name}:${shard}}:`;
  return {
    prefix,
    crawl: `${prefix}crawl`,
    totals: `${prefix}totals`,
    seen: `${prefix}seen`,
    pending: `${prefix}pending`,
    running: `${prefix}running`,
    placed: `${prefix}placed`,
    lingering: `${prefix}lingering`,
    hosts: `${prefix}hosts`,
    domains: `${prefix}domains`,
    nomination: `${prefix}nomination`,
    deadLetters: `${prefix}dead`,
    hostPrefix: `${prefix}h:`,
    queuePrefix: `${prefix}q:`,
    duePrefix: `${prefix}d:`,
    robotsPrefix: `${prefix}r:`,
    alikePrefix: `${prefix}a:`,
    forgottenPrefix: `${prefix}f:`,
    trapped: `${prefix}trapped`,
    roots: `${prefix}roots`,
  };
}

/** Gate of a host. */
export const gateKey = (hostKey: string): string => `ow:gate:{${hostKey}}`;

/** All crawls of this Redis by the time they were made. */
export const CRAWLS_KEY = 'ow:crawls';

/** Finished crawls by the time at which their frontier may go. */
export const EXPIRING_KEY = 'ow:expiring';

/** Run id of the Redis process under which this data set was born. */
export const BORN_KEY = 'ow:born';
