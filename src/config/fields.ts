/** Kinds of fields for the options' schema; each says what it expects in its own error. */

import { z } from 'zod';
import { SIZE_FORMS, formatSize, parseSize } from './bytes.js';
import { DURATION_FORMS, formatDuration, parseDuration } from './duration.js';
import { HOST_MAPPING_FORM, normalizeHostMapping, parseHostMapping } from './host-mapping.js';
import { parseUrl } from '../url/parse-url.js';
import { compilePattern } from '../url/url-pattern.js';
import type { HostMapping, PriorityBoost } from '../contracts/settings.js';

const DAY_MS = 86_400_000;

/** A whole number within bounds, both allowed. */
export function whole(min: number, max: number) {
  const error = `expected a whole number from ${String(min)} to ${String(max)}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** Any number within bounds, both allowed. */
export function real(min: number, max: number) {
  const error = `expected a number from ${String(min)} to ${String(max)}`;
  return z.number({ error }).min(min, { error }).max(max, { error });
}

/** A limit: a whole number from `min` on, or null for none. */
export function limit(min: number) {
  const error = `expected a whole number of at least ${String(min)}, or null (in text: none)`;
  return z.int({ error }).min(min, { error }).nullable();
}

/** One of some words. */
export function choice<const T extends readonly string[]>(values: T) {
  return z.enum(values, { error: `expected one of ${values.join(', ')}` });
}

/** True or false. */
export function flag() {
  return z.boolean({ error: 'expected true or false' });
}

/** A duration in milliseconds or as text; the output is whole milliseconds. */
export function duration(minMs: number, maxMs: number = 365 * DAY_MS) {
  const error = `expected a duration from ${formatDuration(minMs)} to ${formatDuration(maxMs)} (${DURATION_FORMS})`;
  return z.union([z.number(), z.string()], { error }).transform((value, context): number => {
    const ms = parseDuration(value);
    if (ms !== undefined && ms >= minMs && ms <= maxMs) return Math.round(ms);
    context.issues.push({ code: 'custom', message: error, input: value });
    return z.NEVER;
  });
}

/** A size in bytes or as text; the output is whole bytes. */
export function size(minBytes: number, maxBytes: number) {
  const error = `expected a size from ${formatSize(minBytes)} to ${formatSize(maxBytes)} (${SIZE_FORMS})`;
  return z.union([z.number(), z.string()], { error }).transform((value, context): number => {
    const bytes = parseSize(value);
    if (bytes !== undefined && bytes >= minBytes && bytes <= maxBytes) return Math.round(bytes);
    context.issues.push({ code: 'custom', message: error, input: value });
    return z.NEVER;
  });
}

/** Printable text that a header or a path can hold. */
export function text(what: string, accepts: (value: string) => boolean) {
  const error = `expected ${what}`;
  return z.string({ error }).refine(accepts, { error });
}

/** A list; a single value is a slip that is told, not guessed. */
export function list<T extends z.ZodType>(item: T, what: string) {
  return z.array(item, { error: `expected a list of ${what}` }).readonly();
}

/** A glob over whole URLs, or a `/regular expression/`, as the crawl itself compiles them. */
export function urlPattern() {
  const error = 'expected a glob over the whole URL or a /regular expression/';
  return z.string({ error }).superRefine((value, context) => {
    const flaw = patternFlaw(value);
    if (flaw !== undefined) context.addIssue({ code: 'custom', message: `${error} (${flaw})` });
  });
}

/** An absolute http or https URL without credentials; the output is what is requested for it. */
export function seedUrl() {
  const error = 'expected an absolute http or https URL without user name and password';
  return z.string({ error }).transform((value, context): string => {
    const url = parseUrl(value);
    if (url !== null && !hasCredentials(value)) return url;
    const meant = withoutScheme(value);
    const message = meant === undefined ? error : `${error} (did you mean "${meant}"?)`;
    context.issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  });
}

/** The URL that somebody means who writes `example.com/docs`; undefined where that is no guess. */
function withoutScheme(value: string): string | undefined {
  const isHost = /^[^\s/:@?#]+\.[^\s/:@?#.]+(:\d+)?([/?#]\S*)?$/u.test(value.trim());
  return (isHost ? parseUrl(`https://${value.trim()}`) : null) ?? undefined;
}

/** `PATTERN=IP[:PORT]` or the rule as an object. */
export function hostMapping() {
  const error = `expected ${HOST_MAPPING_FORM}`;
  const rule = z.strictObject({
    pattern: z.string({ error }),
    address: z.string({ error }),
    port: z.int({ error }).nullable(),
  });
  return z.union([z.string(), rule], { error }).transform((value, context): HostMapping => {
    const mapping =
      typeof value === 'string' ? parseHostMapping(value) : normalizeHostMapping(value);
    if (mapping !== undefined) return mapping;
    context.issues.push({ code: 'custom', message: error, input: value });
    return z.NEVER;
  });
}

/** `PATTERN=BOOST` or the rule as an object; boosts from -255 to 255, as there are 256 levels. */
export function priorityBoost() {
  const error = 'expected PATTERN=BOOST with a whole BOOST from -255 to 255';
  const rule = z.strictObject({ pattern: z.string({ error }), boost: z.number({ error }) });
  return z.union([z.string(), rule], { error }).transform((value, context): PriorityBoost => {
    const boost = typeof value === 'string' ? splitBoost(value) : value;
    const flaw = boost && patternFlaw(boost.pattern);
    if (boost && flaw === undefined && isBoost(boost.boost)) return boost;
    const message = flaw === undefined ? error : `${error} (${flaw})`;
    context.issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  });
}

function splitBoost(rule: string): PriorityBoost | undefined {
  // The last "=": patterns over query strings hold some themselves.
  const match = /^(.+)=([+-]?\d{1,3})$/.exec(rule);
  return match ? { pattern: match[1] ?? '', boost: Number(match[2]) } : undefined;
}

function isBoost(boost: number): boolean {
  return Number.isInteger(boost) && Math.abs(boost) <= 255;
}

/** What is wrong with a pattern; the compiler's own words, without the field and value before. */
function patternFlaw(pattern: string): string | undefined {
  try {
    compilePattern(pattern, '');
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.replace(`: ${JSON.stringify(pattern)} `, 'it ').replace(/\.$/, '');
  }
}

function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
