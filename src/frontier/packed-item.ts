/** Queued URLs as the scripts keep them: one tab-separated string (lua/lib/item.lua). */
import type { DiscoveredUrl, QueuedUrl, UrlKind } from '../contracts/urls.js';
import { ConfigError } from '../errors.js';

const KIND_LETTERS: Record<UrlKind, string> = { page: 'p', sitemap: 's' };
/** Letters of a hop path that are kept; the newest count. */
const HOPS_KEPT = 32;
const MAX_LEVEL = 255;

/**
 * Pack a URL for its queue.
 *
 * @throws CONFIG_INVALID_OPTION naming the field that can't be queued
 */
export function packItem(item: QueuedUrl & Pick<DiscoveredUrl, 'level'>): string {
  checkWhole(item, 'depth', Number.MAX_SAFE_INTEGER);
  checkWhole(item, 'attempts', Number.MAX_SAFE_INTEGER);
  checkWhole(item, 'level', MAX_LEVEL);
  checkText(item, 'url');
  checkText(item, 'via');
  checkText(item, 'hops');
  if (item.url === '') throw unqueueable(item, 'url', '', 'give the address to be fetched');
  return [
    KIND_LETTERS[item.kind],
    item.depth,
    item.attempts,
    item.hops.slice(-HOPS_KEPT),
    item.level,
    item.via,
    item.url,
  ].join('\t');
}

/** Unpack what a script returned; the mark of a suspicious page (lua/lib/item.lua) is the scripts' own. */
export function unpackItem(packed: string): QueuedUrl & Pick<DiscoveredUrl, 'level'> {
  const fields = packed.split('\t');
  const [kind, depth, attempts, hops, level, via] = fields;
  return {
    kind: kind === 's' ? 'sitemap' : 'page',
    depth: Number(depth),
    attempts: Number(attempts),
    hops: hops ?? '',
    level: Number(level),
    via: via ?? '',
    url: fields.length > 6 ? (fields.at(-1) ?? '') : '',
  };
}

type Item = Parameters<typeof packItem>[0];

function checkWhole(item: Item, field: 'depth' | 'attempts' | 'level', max: number): void {
  const value = item[field];
  if (Number.isInteger(value) && value >= 0 && value <= max) return;
  throw unqueueable(item, field, String(value), `give a whole number from 0 to ${max}`);
}

/** A tab would end the field; the WHATWG serialisation of a URL holds none. */
function checkText(item: Item, field: 'url' | 'via' | 'hops'): void {
  if (!item[field].includes('\t')) return;
  throw unqueueable(
    item,
    field,
    JSON.stringify(item[field]),
    'give a serialised URL: without tabs',
  );
}

function unqueueable(item: Item, field: string, value: string, remedy: string): ConfigError {
  return new ConfigError(
    'CONFIG_INVALID_OPTION',
    `${field}: ${value} of ${item.url || 'an empty URL'} can't be queued; ${remedy}`,
  );
}
