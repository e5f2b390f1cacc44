/** Flags of a crawl's options, built from the one catalogue that docs and config files share. */
import { Option, type Command } from 'commander';
import { OPTION_CATALOGUE, type OptionEntry } from '../config/catalogue.js';
import { optionsFromFlags, type OptionSource } from '../config/merge.js';

/** One line per option for --help; docs/options.md says more. */
export const FLAG_HELP: Readonly<Record<string, string>> = {
  scope: 'hosts that belong to the crawl: host, domain (of the seeds) or any',
  include: 'admit only URLs that match: glob or /regexp/, repeatable',
  exclude: 'refuse URLs that match; wins over --include, repeatable',
  priorities: 'PATTERN=BOOST: fetch matching URLs sooner, repeatable',
  maxDepth: 'links away from a seed at most',
  maxPages: 'stored pages at most',
  maxDuration: 'running time at most',
  perHostLimit: 'stored pages of one host at most',
  maxHostsPerDomain: 'hosts of one registered domain at most',
  sitemaps: 'do not read the sitemaps that robots.txt names',
  feeds: 'do not follow the links of RSS and Atom documents',
  embeds: 'fetch images, scripts, style sheets and media too',
  forms: 'follow forms that are sent by GET',
  textLinks: 'follow URLs that stand in plain text',
  canonical: 'RULE or no-RULE: which URLs are one page, repeatable',
  dropParameters: 'query parameter that chooses no content, repeatable',
  traps: 'hold nothing back that looks like a crawl trap',
  trapBudget: 'pages of a host alike whose links are followed',
  delayMs: 'pause between requests to a host, ms or with a unit',
  delayFactor: 'the same pause as a multiple of the last fetch time',
  maxDelayMs: 'ceiling for Crawl-delay and --delay-factor',
  robots: 'obey or ignore robots.txt, meta robots and nofollow',
  userAgent: 'what the crawler calls itself; name a contact',
  concurrency: 'hosts fetched at once',
  hostPatience: 'how long a host may be out of reach',
  retries: 'further tries of a URL',
  'turn.maxPages': 'pages of one turn where the delay is under 1 s',
  'turn.maxMs': 'time of such a turn',
  'turn.maxPerSecond': 'turns a second of all hosts together at most',
  maxBytes: 'decoded body at most',
  connectTimeout: 'DNS, TCP and TLS at most',
  headersTimeout: 'until the last response header at most',
  bodyTimeout: 'silence within a body at most',
  totalTimeout: 'one request at most',
  cookies: 'keep no cookies',
  allowPrivate: 'let requests reach loopback and private addresses',
  mapHosts: 'PATTERN=IP[:PORT]: connect there, repeatable',
  dedupe: 'bloom (small, skips a few) or exact',
  bloomErrorRate: 'chance that the Bloom filter skips a new URL',
  expectedUrls: 'URLs that the Bloom filter is reserved for',
  out: 'folder of the output, <out>/<crawlId>/',
  keep: 'how long a finished crawl can be looked at',
};

const PLACEHOLDER: Readonly<Record<Exclude<OptionEntry['kind'], 'boolean'>, string>> = {
  choice: '<choice>',
  duration: '<duration>',
  list: '<item>',
  number: '<n>',
  size: '<size>',
  text: '<text>',
};

/** Options that have a flag of their own name; seeds are arguments and `--seeds-file`. */
function flagged(): readonly OptionEntry[] {
  return OPTION_CATALOGUE.filter(({ path }) => path !== 'seeds');
}

/**
 * Add a flag per option. Values stay text: the schema refuses all that are wrong at once. Flags of
 * options that are fixed are read too, so that the schema can say so, but help does not show them.
 */
export function addOptionFlags(command: Command, which: 'all' | 'adjustable'): Command {
  for (const entry of flagged()) {
    const isOffered = which === 'all' || entry.adjustable === true;
    for (const option of optionsOf(entry, which)) {
      command.addOption(isOffered ? option : option.hideHelp());
    }
  }
  return command;
}

function optionsOf(entry: OptionEntry, which: 'all' | 'adjustable'): Option[] {
  // On resume an option that is not given stays as the crawl has it.
  const otherwise = which === 'all' ? ` (default: ${entry.defaultText})` : '';
  const help = `${FLAG_HELP[entry.path] ?? ''}${otherwise}`;
  if (entry.kind === 'boolean') {
    // Both spellings, so that a flag can overrule environment and file; help shows the useful one.
    const no = entry.flag.replace('--', '--no-');
    const isOn = entry.defaultText === 'true';
    const yesOption = new Option(entry.flag, FLAG_HELP[entry.path]);
    const noOption = new Option(no, FLAG_HELP[entry.path]);
    return [isOn ? yesOption.hideHelp() : yesOption, isOn ? noOption : noOption.hideHelp()];
  }
  const option = new Option(`${entry.flag} ${PLACEHOLDER[entry.kind]}`, help);
  if (entry.kind === 'list') {
    option.argParser((item: string, items: string[] | undefined) => [...(items ?? []), item]);
  }
  return [option];
}

/**
 * The options that flags gave, by dotted path.
 *
 * @param values what commander parsed (`command.opts()`)
 */
export function optionsOfFlags(
  values: Readonly<Record<string, unknown>>,
  extra: Readonly<Record<string, unknown>> = {},
): OptionSource {
  const given: Record<string, unknown> = {};
  for (const entry of flagged()) {
    const value = values[new Option(entry.flag).attributeName()];
    if (value !== undefined) given[entry.path] = value;
  }
  return optionsFromFlags({ ...given, ...extra });
}
