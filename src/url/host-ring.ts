/** Consistent-hash ring: which shard of a crawl holds a registered domain (R1–R5). */

import { createHash } from 'node:crypto';
import { ConfigError } from '../errors.js';

/** Points of a shard on the ring; 100 to 200 suit 4 to 64 shards (R2). */
export const DEFAULT_VIRTUAL_NODES = 150;

/** A ring. Two processes with one `id` send every key to the same shard. */
export interface HostRing {
  /** Digest of names and virtual nodes: processes whose ids differ must not share a crawl (R5). */
  readonly id: string;
  readonly names: readonly string[];
  /** The shard, one of `names`, that holds `key`. */
  shardOf(key: string): string;
}

/**
 * Build a ring. Deterministic; the order of `names` does not matter.
 *
 * @throws CONFIG_INVALID_OPTION without names, with one twice, or with virtualNodes below 1
 */
export function createHostRing(
  names: readonly string[],
  virtualNodes: number = DEFAULT_VIRTUAL_NODES,
): HostRing {
  if (names.length === 0) refuse('names', names, 'name at least one shard');
  if (new Set(names).size < names.length) refuse('names', names, 'name each shard once');
  if (!Number.isInteger(virtualNodes) || virtualNodes < 1) {
    refuse('virtualNodes', virtualNodes, 'give a whole number of 1 or more');
  }
  const sorted = [...names].sort();
  const points = sorted
    .flatMap((name) =>
      Array.from({ length: virtualNodes }, (_, v) => ({ at: position(`${name}#${v}`), name })),
    )
    .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
  return {
    id: md5(JSON.stringify([sorted, virtualNodes])),
    names: [...names],
    shardOf: (key) => {
      const index = bisectRight(points, position(key));
      // The ring closes: past the last point comes the first.
      return (points[index] ?? points[0])?.name ?? '';
    },
  };
}

/** Index of the first point past `value`. */
function bisectRight(points: readonly { readonly at: number }[], value: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (value < (points[middle]?.at ?? Infinity)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first 8 hexadecimal digits of the MD5, as a number below 2^32. */
function position(text: string): number {
  return Number.parseInt(md5(text).slice(0, 8), 16);
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

function refuse(field: string, value: unknown, remedy: string): never {
  throw new ConfigError(
    'CONFIG_INVALID_OPTION',
    `host ring: ${field} is ${JSON.stringify(value)}; ${remedy}.`,
    { details: { field, value } },
  );
}
