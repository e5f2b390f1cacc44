/** Flags of `inspect`, checked before anything is read. */
import type { CanonicalSettings } from '../../contracts/settings.js';
import { ConfigError } from '../../errors.js';
import {
  CANONICAL_CHANGES,
  canonicalSettings,
  type CanonicalChange,
} from '../../url/canonical-settings.js';

/** Flags of all kinds; each command offers its own. */
export interface InspectFlags {
  readonly json?: boolean;
  readonly stdin?: boolean;
  readonly base?: string;
  readonly charset?: string;
  readonly canonical?: readonly string[];
  readonly dropParameters?: readonly string[];
  readonly url?: string;
  readonly userAgent?: string;
  readonly contentType?: string;
  readonly robotsAgent?: string;
  readonly embeds?: boolean;
  readonly forms?: boolean;
  readonly textLinks?: boolean;
}

/** Flags that make a request of the argument, and the field that says so with `--stdin`. */
const REQUEST_FLAGS = [
  ['base', '--base', 'base'],
  ['charset', '--charset', 'documentCharset'],
  ['url', '--url', 'url'],
  ['userAgent', '--user-agent', 'userAgent'],
  ['contentType', '--content-type', 'contentType'],
] as const;

/** @throws CONFIG_INVALID_OPTION where a flag was given that only an argument needs */
export function refuseRequestFlags(flags: InspectFlags): void {
  for (const [name, flag, field] of REQUEST_FLAGS) {
    if (flags[name] === undefined) continue;
    invalid(flag, `has no effect with --stdin; say it in each request, as "${field}"`);
  }
}

/**
 * The rules that the flags choose; refused is what `crawl` refuses.
 *
 * @throws CONFIG_INVALID_OPTION
 */
export async function canonicalOf({
  canonical = [],
  dropParameters = [],
}: InspectFlags): Promise<CanonicalSettings> {
  for (const change of canonical) {
    if (CANONICAL_CHANGES.includes(change as CanonicalChange)) continue;
    invalid('--canonical', `"${change}" is no rule; there are ${CANONICAL_CHANGES.join(', ')}`);
  }
  if (dropParameters.length > 0) {
    const { crawlOptionsSchema } = await import('../../config/schema.js');
    const { dropParameters: schema } = crawlOptionsSchema.shape;
    const wrong = dropParameters.find((name) => !schema.safeParse([name]).success);
    if (wrong !== undefined) {
      invalid('--drop-parameters', `"${wrong}" is no name; write it like ref or aff_*`);
    }
  }
  return canonicalSettings(canonical as readonly CanonicalChange[], dropParameters);
}

/** @throws CONFIG_INVALID_OPTION always */
export function invalid(field: string, problem: string): never {
  throw new ConfigError('CONFIG_INVALID_OPTION', `${field}: ${problem}`, { details: { field } });
}
