/** Address rules for `mapHosts`: `PATTERN=IP[:PORT]`, the idea of curl's --resolve with wildcards. */

import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { HostMapping } from '../contracts/settings.js';

/** What the parser takes, in words for error messages. */
export const HOST_MAPPING_FORM =
  'PATTERN=IP[:PORT], with IPv6 addresses in brackets, such as "*.staging.example=10.0.0.7:8080" or "a.example=[::1]:80"';

/**
 * One rule from its text. The pattern is a host name without port in which `*` stands for any
 * characters; names outside ASCII are brought into their DNS form.
 *
 * @returns undefined where the text is no rule
 */
export function parseHostMapping(text: string): HostMapping | undefined {
  const split = text.indexOf('=');
  if (split < 1) return undefined;
  const target = parseTarget(text.slice(split + 1).trim());
  return target && normalizeHostMapping({ pattern: text.slice(0, split), ...target });
}

/** Check a rule that is given as an object and bring its pattern into DNS form. */
export function normalizeHostMapping(mapping: HostMapping): HostMapping | undefined {
  const pattern = normalizePattern(mapping.pattern.trim());
  if (pattern === undefined || isIP(mapping.address) === 0) return undefined;
  const { port } = mapping;
  if (port !== null && !(Number.isInteger(port) && port >= 1 && port <= 65_535)) return undefined;
  return { pattern, address: mapping.address, port };
}

function normalizePattern(text: string): string | undefined {
  // domainToASCII leaves `*` alone, and answers '' for what no host name can be.
  const pattern = domainToASCII(text.toLowerCase());
  return /^[a-z0-9*._-]{1,253}$/.test(pattern) ? pattern : undefined;
}

function parseTarget(text: string): { address: string; port: number | null } | undefined {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  if (match === null) return undefined;
  const [, inBrackets, bare, port] = match;
  if (inBrackets !== undefined && isIP(inBrackets) !== 6) return undefined;
  if (bare !== undefined && isIP(bare) !== 4) return undefined;
  return { address: inBrackets ?? bare ?? '', port: port === undefined ? null : Number(port) };
}
