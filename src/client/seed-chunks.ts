/** Seeds in pieces that fit one message to Temporal, whose payloads are bounded. */
import { withoutCredentials } from '../config/seed-text.js';

/** The server warns of payloads from 512 KiB on and refuses them from 2 MiB on. */
const CHUNK_BYTES = 400 * 1024;
/** Refused seeds come back with a reason each: the reply must fit too. */
const CHUNK_SEEDS = 5000;
/** No URL that is crawled is longer; one line of a file that is no list of URLs may be megabytes. */
const MAX_SEED_CHARS = 64 * 1024;
const SHOWN_CHARS = 200;

/** Seeds of one message. */
export interface SeedChunk {
  readonly seeds: readonly string[];
  /** Others follow. */
  readonly hasMore: boolean;
}

/**
 * Pieces of a list of seeds, in order, each within one payload. A history keeps them: credentials in
 * a seed are left out.
 *
 * @returns at least one seed in each; nothing for an empty list
 */
export async function* seedChunks(
  seeds: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<SeedChunk, void> {
  let chunk: string[] = [];
  let bytes = 0;
  for await (const given of seeds) {
    const seed = given.length <= MAX_SEED_CHARS ? withoutCredentials(given) : tooLong(given);
    // As JSON, with its quotes and comma.
    const size = Buffer.byteLength(JSON.stringify(seed)) + 1;
    if (chunk.length > 0 && (bytes + size > CHUNK_BYTES || chunk.length === CHUNK_SEEDS)) {
      yield { seeds: chunk, hasMore: true };
      chunk = [];
      bytes = 0;
    }
    chunk.push(seed);
    bytes += size;
  }
  if (chunk.length > 0) yield { seeds: chunk, hasMore: false };
}

/** What stands for it is no URL: it is refused like any other, and shown. */
function tooLong(seed: string): string {
  return `(${seed.length} characters) ${withoutCredentials(seed.slice(0, SHOWN_CHARS))}…`;
}
