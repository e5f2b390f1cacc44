/** Crawl ids: part of workflow ids, Redis keys and folder names, hence their narrow alphabet. */

import { randomInt } from 'node:crypto';
import { CRAWL_ID_PATTERN } from '../contracts/workflow-ids.js';
import { ConfigError } from '../errors.js';
import { describeValue } from './problems.js';

const SUFFIX_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const HOST_LENGTH_MAX = 64 - '-20261201-140312-x7k2'.length;

/**
 * A crawl id that somebody typed.
 *
 * @throws CONFIG_INVALID_OPTION
 */
export function parseCrawlId(value: unknown): string {
  if (typeof value === 'string' && CRAWL_ID_PATTERN.test(value)) return value;
  throw new ConfigError(
    'CONFIG_INVALID_OPTION',
    `crawlId: expected 1 to 64 letters, digits, ".", "_" or "-", the first a letter or digit, got ` +
      `${describeValue(value)}; write it like "docs-2026"`,
    { details: { field: 'crawlId' } },
  );
}

/**
 * A fresh id that says what and when (UTC): `example.com-20261201-140312-x7k2`. Two crawls of one
 * host in one second share it with a chance of 1 in 1.6 million; starting the second is refused.
 */
export function newCrawlId(seed: string, now: Date): string {
  const host = URL.canParse(seed) ? new URL(seed).hostname : '';
  const name = host
    .replace(/[^A-Za-z0-9._-]+/g, '')
    .slice(0, HOST_LENGTH_MAX)
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const suffix = Array.from({ length: 4 }, () =>
    SUFFIX_ALPHABET.charAt(randomInt(SUFFIX_ALPHABET.length)),
  ).join('');
  return `${name === '' ? 'crawl' : name}-${stamp}-${suffix}`;
}
