/** Randomness that is the same on every machine and in every run: everything derives from a seed. */

/** A stream of pseudo-random choices. */
export interface Random {
  /** Next number in [0, 1). */
  next(): number;
  /** Next integer in [0, below). */
  int(below: number): number;
  /** One of the given values. */
  pick<T>(values: readonly T[]): T;
}

/** A 32-bit hash of a text, spread well enough to choose features by. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A stream of choices from a seed: equal seeds give equal streams. */
export function createRandom(seed: number | string): Random {
  let state = hash32(String(seed));
  const next = (): number => {
    // A Weyl sequence through an avalanche: small, seedable at any point, good enough for tests.
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  const pick = <T>(values: readonly T[]): T => {
    if (values.length === 0) throw new Error('pick: needs at least one value to choose from');
    return values[int(values.length)] as T;
  };
  return { next, int, pick };
}
