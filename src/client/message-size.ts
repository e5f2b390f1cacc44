/** What a crawl is started with is one message to Temporal, and such messages are bounded. */
import type { CrawlInput } from '../contracts/crawl.js';
import { ConfigError } from '../errors.js';

/**
 * Bytes of a crawl's input as JSON. The server refuses 2 MiB, and what the engine hands on is a
 * little more than what it is given; from 4 MiB on no answer comes at all.
 */
export const MAX_INPUT_BYTES = 1.5 * 1024 * 1024;

/**
 * Refuse an input that Temporal would refuse, before it is sent.
 *
 * @throws CONFIG_INVALID_OPTION, naming the largest option
 */
export function refuseLargeInput({ seeds = [], options = {} }: CrawlInput): void {
  const sizes = Object.entries({ ...options, seeds }).map(([name, value]) => ({
    name,
    bytes: Buffer.byteLength(JSON.stringify(value) ?? ''),
  }));
  const bytes = sizes.reduce((sum, each) => sum + each.bytes, 0);
  if (bytes <= MAX_INPUT_BYTES) return;
  const largest = sizes.reduce((most, each) => (each.bytes > most.bytes ? each : most));
  const remedy =
    largest.name === 'seeds'
      ? 'add the others with addSeeds, which takes any number'
      : 'say the same in fewer words, such as one pattern for many';
  throw new ConfigError(
    'CONFIG_INVALID_OPTION',
    `${largest.name}: ${largest.bytes} bytes are too many: seeds and options together go to ` +
      `Temporal in one message of ${MAX_INPUT_BYTES} bytes at most; ${remedy}`,
    { details: { field: largest.name, bytes, maxBytes: MAX_INPUT_BYTES } },
  );
}
