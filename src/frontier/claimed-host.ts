/** What the scripts that act for a claimed host are given: the same keys and claim, in one order. */
import type { Claim } from '../contracts/frontier.js';
import type { ShardKeys } from './keys.js';

/** KEYS 1 to 10 of complete-and-lease and drain-host. */
export function claimedHostKeys(k: ShardKeys, { hostKey }: Claim): string[] {
  return [
    k.crawl,
    k.totals,
    k.pending,
    k.running,
    k.placed,
    k.lingering,
    k.hostPrefix + hostKey,
    k.duePrefix + hostKey,
    k.queuePrefix + hostKey,
    k.deadLetters,
  ];
}

/** ARGV 1 to 4 of both. */
export function claimArgs({ hostKey, owner, turn, attempt }: Claim): (string | number)[] {
  return [hostKey, owner, turn, attempt];
}
