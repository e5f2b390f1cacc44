/**
 * The list of options: where each may be given, how its text is read, what it defaults to. Flags,
 * environment, config file and docs/options.md are all held against this one table.
 */

/** How a flag's or variable's text becomes a value. */
export type OptionKind = 'boolean' | 'choice' | 'duration' | 'list' | 'number' | 'size' | 'text';

/** One option in all its places. */
export interface OptionEntry {
  /** Dotted path in the API and in config files: `delayMs`, `turn.maxPages`. */
  readonly path: string;
  /** Long flag of the command line. */
  readonly flag: string;
  readonly kind: OptionKind;
  /** Default as a user would write it; a sentence where it depends on something. */
  readonly defaultText: string;
  /** How to write it right: ends an error message. */
  readonly example: string;
  /** May be changed on resume and while the crawl runs. */
  readonly adjustable?: true;
  /** `none` stands for null, no limit. */
  readonly nullable?: true;
}

const ADJUSTABLE = { adjustable: true } as const;
const ADJUSTABLE_LIMIT = { adjustable: true, nullable: true } as const;

/** All options, in the order of the documentation. */
export const OPTION_CATALOGUE: readonly OptionEntry[] = [
  option('seeds', '--seeds-file', 'list', 'required', '"https://example.com/"'),
  option('scope', '--scope', 'choice', 'domain', 'host'),
  option('include', '--include', 'list', '[]', '"https://example.com/docs/*" or "/\\\\.html$/"'),
  option('exclude', '--exclude', 'list', '[]', '"*/private/*" or "/[?&]print=/"'),
  option('priorities', '--priorities', 'list', '[]', '"*/news/*=2"'),
  option('maxDepth', '--depth', 'number', 'none', '3', ADJUSTABLE_LIMIT),
  option('maxPages', '--limit', 'number', 'none', '1000', ADJUSTABLE_LIMIT),
  option('maxDuration', '--max-duration', 'duration', 'none', '"2h"', ADJUSTABLE_LIMIT),
  option('perHostLimit', '--per-host-limit', 'number', 'none', '500', ADJUSTABLE_LIMIT),
  option('maxHostsPerDomain', '--max-hosts-per-domain', 'number', '1000', '100'),
  option('sitemaps', '--sitemaps', 'boolean', 'true', 'false'),
  option('feeds', '--feeds', 'boolean', 'true', 'false'),
  option('embeds', '--embeds', 'boolean', 'false', 'true'),
  option('forms', '--forms', 'boolean', 'false', 'true'),
  option('textLinks', '--text-links', 'boolean', 'false', 'true'),
  option('canonical', '--canonical', 'list', '[]', '"sessionIds" or "no-trailingSlash"'),
  option('dropParameters', '--drop-parameters', 'list', '[]', '"ref" or "aff_*"'),
  option('traps', '--traps', 'boolean', 'true', 'false', ADJUSTABLE),
  option('trapBudget', '--trap-budget', 'number', '1000', '100', ADJUSTABLE),
  option('delayMs', '--delay', 'duration', '1000', '"2s"', ADJUSTABLE),
  option('delayFactor', '--delay-factor', 'number', '1; 0 where delayMs is 0', '2', ADJUSTABLE),
  option('maxDelayMs', '--max-delay', 'duration', '60000', '"5m"', ADJUSTABLE),
  option('robots', '--robots', 'choice', 'obey', 'obey'),
  option(
    'userAgent',
    '--user-agent',
    'text',
    'orbweaver/<version> (operator gave no contact)',
    '"mybot/1.0 (+https://example.com/bot)"',
  ),
  option('concurrency', '--concurrency', 'number', '500', '50', ADJUSTABLE),
  option('hostPatience', '--host-patience', 'duration', '15m', '"6h"', ADJUSTABLE),
  option('retries', '--retries', 'number', '2', '5', ADJUSTABLE),
  option('turn.maxPages', '--turn-max-pages', 'number', '20', '50'),
  option('turn.maxMs', '--turn-max-ms', 'duration', '10000', '"30s"'),
  option('turn.maxPerSecond', '--turn-max-per-second', 'number', '50', '500'),
  option('maxBytes', '--max-bytes', 'size', '10MiB', '"50MiB"'),
  option('connectTimeout', '--connect-timeout', 'duration', '10s', '"5s"'),
  option('headersTimeout', '--headers-timeout', 'duration', '30s', '"1m"'),
  option('bodyTimeout', '--body-timeout', 'duration', '30s', '"1m"'),
  option('totalTimeout', '--total-timeout', 'duration', '2m', '"5m"'),
  option('cookies', '--cookies', 'boolean', 'true', 'false'),
  option('allowPrivate', '--allow-private', 'boolean', 'false', 'true'),
  option('mapHosts', '--map-hosts', 'list', '[]', '"*.staging.example=10.0.0.7:8080"'),
  option('dedupe', '--dedupe', 'choice', 'bloom', 'exact'),
  option('bloomErrorRate', '--bloom-error-rate', 'number', '0.000001', '0.0001'),
  option(
    'expectedUrls',
    '--expected-urls',
    'number',
    '10 × maxPages, from 10,000 to 100,000,000; without maxPages 1,000,000',
    '5000000',
  ),
  option('out', '--out', 'text', 'out', '"/data/crawls"'),
  option('keep', '--keep', 'duration', '7d', '"30d"'),
];

function option(
  path: string,
  flag: string,
  kind: OptionKind,
  defaultText: string,
  example: string,
  extra: Pick<OptionEntry, 'adjustable' | 'nullable'> = {},
): OptionEntry {
  return { path, flag, kind, defaultText, example, ...extra };
}

/** The entry that a path of the input belongs to: `mapHosts.3.port` → mapHosts. */
export function entryOf(path: readonly PropertyKey[]): OptionEntry | undefined {
  const [first, second] = path.map(String);
  return OPTION_CATALOGUE.find(
    (entry) => entry.path === first || entry.path === `${String(first)}.${String(second)}`,
  );
}

/** Name of an option's environment variable: `delayMs` → `ORBWEAVER_DELAY_MS`. */
export function environmentName(path: string): string {
  return `ORBWEAVER_${path
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace('.', '_')
    .toUpperCase()}`;
}

/**
 * The value that a flag's or variable's text stands for. Text that does not fit the kind is handed
 * on as it is, for the schema to refuse with the option's own words.
 */
export function valueFromText(entry: OptionEntry, text: string): unknown {
  const trimmed = text.trim();
  if (entry.nullable && trimmed.toLowerCase() === 'none') return null;
  switch (entry.kind) {
    case 'boolean':
      if (/^(?:true|yes|on|1)$/i.test(trimmed)) return true;
      return /^(?:false|no|off|0)$/i.test(trimmed) ? false : text;
    case 'number':
      return /^-?\d+(?:\.\d+)?(?:e-?\d+)?$/i.test(trimmed) ? Number(trimmed) : text;
    case 'list':
      // Neither URLs nor patterns over URLs hold white space.
      return trimmed === '' ? [] : trimmed.split(/\s+/);
    case 'choice':
    case 'duration':
    case 'size':
      return trimmed;
    case 'text':
      return text;
  }
}
